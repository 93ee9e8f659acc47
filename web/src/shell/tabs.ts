/** Which tabs there are, which one is open, and which do not fit. */

import type { DashboardInfo } from "../data/api";

/** What there is to show: kinds, and dashboards that said of themselves that they have data. */
export interface Present {
  readonly kinds: readonly string[];
  readonly filled: ReadonlySet<string>;
}

/** Has it anything to show? A dashboard without kinds always has, unless it says otherwise. */
export function hasData(info: DashboardInfo, { kinds, filled }: Present): boolean {
  if (info.has_data) return filled.has(info.name);
  return info.kinds.length === 0 || info.kinds.some((kind) => kinds.includes(kind));
}

/** Tabs of TensorBoard and of its plugins that Seamark has no dashboard for: by the name in TensorBoard's addresses. */
const TENSORBOARD_TITLES: Readonly<Record<string, string>> = {
  whatif: "What-If Tool",
  debugger: "Debugger",
  "debugger-v2": "Debugger V2",
  npmi: "NPMI",
  fairness_indicators: "Fairness Indicators",
  beholder: "Beholder",
};

/** Null for a name that is none of TensorBoard's. */
export const tensorboardTitle = (name: string): string | null =>
  Object.hasOwn(TENSORBOARD_TITLES, name) ? TENSORBOARD_TITLES[name]! : null;

/** What the address names, null when that is not there; without a name Time Series or Scalars, whichever comes first and has data. */
export function currentTab(
  dashboards: readonly DashboardInfo[],
  wanted: string,
  present: Present,
): DashboardInfo | null {
  if (wanted !== "") return dashboards.find(({ name }) => name === wanted) ?? null;
  return dashboards.find((info) => !info.error && hasData(info, present)) ?? dashboards[0] ?? null;
}

export interface Tabs {
  readonly inBar: readonly DashboardInfo[];
  readonly inMenu: readonly DashboardInfo[];
}

/**
 * Tabs that have data stand in the bar as far as they fit, the others are under More. The open one is always in the bar:
 * when it does not fit, it takes the place of the last one that does.
 */
export function arrangeTabs(
  dashboards: readonly DashboardInfo[],
  options: {
    readonly present: Present;
    readonly current: string;
    readonly widthOf: (info: DashboardInfo) => number;
    readonly room: number;
    readonly moreWidth: number;
  },
): Tabs {
  const { present, current, widthOf, room, moreWidth } = options;
  const wanted = dashboards.filter((info) => info.name === current || (!info.error && hasData(info, present)));
  const needsMore = wanted.length < dashboards.length;
  const sum = (tabs: readonly DashboardInfo[]): number => tabs.reduce((total, info) => total + widthOf(info), 0);
  let fitting = [...wanted];
  while (fitting.length > 1 && sum(fitting) + (needsMore || fitting.length < wanted.length ? moreWidth : 0) > room) {
    const last = fitting.at(-1)!.name === current ? fitting.length - 2 : fitting.length - 1;
    fitting = fitting.filter((_, index) => index !== last);
  }
  return { inBar: fitting, inMenu: dashboards.filter((info) => !fitting.includes(info)) };
}
