/** How the time of kernels divides among activities. */

import { activityLabel, activityStyle } from "../parts";
import type { Kernels } from "../wire";

export interface ActivityShare {
  readonly label: string;
  readonly colour: string;
  readonly ns: number;
  readonly calls: number;
  /** Of all kernels' time. */
  readonly share: number;
}

export function activityShares({ rows, total_ns }: Kernels): readonly ActivityShare[] {
  const sums = new Map<number, { ns: number; calls: number }>();
  for (const { activity, total_ns: ns, calls } of rows) {
    const sum = sums.get(activity) ?? { ns: 0, calls: 0 };
    sums.set(activity, { ns: sum.ns + ns, calls: sum.calls + calls });
  }
  return [...sums]
    .map(([activity, { ns, calls }]) => ({
      label: activityLabel(activity),
      colour: activityStyle(activity).colour,
      ns,
      calls,
      share: ns / (total_ns || 1),
    }))
    .sort((a, b) => b.ns - a.ns);
}
