/** The bar of a rank: where an average step of it goes. */

import type { Distributed, RankRow } from "../wire";

export interface RankPart {
  readonly id: "compute" | "overlap" | "communication" | "wait" | "copies" | "idle";
  readonly label: string;
  /** As CSS takes it. */
  readonly colour: string;
}

/** In the order of the bar. */
export const RANK_PARTS: readonly RankPart[] = [
  { id: "compute", label: "Compute", colour: "var(--profile-compute-16)" },
  { id: "overlap", label: "Compute and communication", colour: "var(--profile-compute-32)" },
  { id: "communication", label: "Communication alone", colour: "var(--profile-collectives)" },
  { id: "wait", label: "Waiting for other ranks", colour: "var(--profile-input)" },
  { id: "copies", label: "Copies alone", colour: "var(--profile-copies)" },
  { id: "idle", label: "Idle", colour: "var(--profile-idle)" },
];

/** The parts sum to the step. Waiting happens in collectives and is shown as part of those that run alone. */
export function partsOf(rank: RankRow): Readonly<Record<RankPart["id"], number>> {
  const wait = Math.min(rank.wait_ns ?? 0, rank.exposed_ns);
  const known = rank.compute_ns + rank.exposed_ns + rank.idle_ns;
  return {
    compute: rank.compute_ns - rank.overlap_ns,
    overlap: rank.overlap_ns,
    communication: rank.exposed_ns - wait,
    wait,
    copies: Math.max(0, rank.step_ns - known),
    idle: rank.idle_ns,
  };
}

/** One sentence about the ranks; "" if there is nothing to say. */
export function stragglerText({ ranks }: Distributed): string {
  const late = ranks.find(({ is_straggler }) => is_straggler);
  const share = late?.awaited_share ?? null;
  if (!late || share === null) return "";
  return `${late.host} is a straggler: ${(100 * share).toFixed(0)}% of the waiting in collectives is for it.`;
}
