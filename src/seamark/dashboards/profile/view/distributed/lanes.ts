/** Where the slices of a lane are, as shares of the window. */

import { activityStyle } from "../parts";
import type { RankLane } from "../wire";

export interface LaneBlock {
  readonly leftPercent: number;
  readonly widthPercent: number;
  readonly colour: string;
  readonly start: number;
  readonly duration: number;
  /** -1: several slices. */
  readonly slice: number;
}

export function blocksOf(lane: RankLane, windowNs: number): readonly LaneBlock[] {
  const percent = (ns: number): number => (100 * ns) / (windowNs || 1);
  return lane.starts.map((start, index) => ({
    leftPercent: percent(start),
    widthPercent: percent(lane.durations[index]!),
    colour: activityStyle(lane.activities[index]!).colour,
    start,
    duration: lane.durations[index]!,
    slice: lane.slices[index]!,
  }));
}
