/** Windows of slices for tests. */

import type { TraceWindow } from "../../wire";

/** Each slice: row, start, duration, and its activity if it matters. */
export function newWindow(
  slices: readonly (readonly [row: number, start: number, duration: number, activity?: number])[],
): TraceWindow {
  // prettier-ignore
  return {
    row: Int32Array.from(slices, ([row]) => row),
    start: Float64Array.from(slices, ([, start]) => start),
    duration: Float64Array.from(slices, ([, , duration]) => duration),
    name: Uint32Array.from(slices, (_, index) => index),
    activity: Uint8Array.from(slices, ([, , , activity]) => activity ?? 1),
    slice: Uint32Array.from(slices, (_, index) => 100 + index),
    count: Uint32Array.from(slices, () => 1),
  };
}
