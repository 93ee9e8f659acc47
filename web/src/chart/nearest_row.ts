import { lowerBound } from "../base/binary_search";

/** The row in [first, end) nearest to x, or -1 when there is none. */
export function nearestRow(x: ArrayLike<number>, at: number, first = 0, end = x.length): number {
  if (end <= first) return -1;
  const low = lowerBound(x, at, first, end - 1);
  return low > first && at - x[low - 1]! <= x[low]! - at ? low - 1 : low;
}
