/** Thresholds of slices: which one is in force for a row. */

import type { ColumnValues } from "../requests";
import type { Condition } from "../wire";
import { matchesCondition } from "./conditions";

/** A slice of the performance tab with a threshold of its own. */
export interface ThresholdSlice {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly threshold: number;
}

/** The threshold of each row: that of the first slice that it is in, else `fallback`. Null until the columns are there. */
export function rowThresholds(
  count: number,
  slices: readonly ThresholdSlice[],
  fallback: number,
  column: (name: string) => ColumnValues | null,
): Float32Array | null {
  const thresholds = new Float32Array(count).fill(fallback);
  // From last to first, so that the first one wins.
  for (const { conditions, threshold } of slices.toReversed()) {
    const tests = conditions.map((condition) => {
      const values = column(condition.column);
      return values && matchesCondition(values, condition);
    });
    if (tests.includes(null)) return null;
    for (let row = 0; row < count; row += 1) if (tests.every((test) => test!(row))) thresholds[row] = threshold;
  }
  return thresholds;
}
