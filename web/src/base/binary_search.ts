/** Positions in ascending numbers, by halving. */

/** The first index in [start, end) whose value is at or above `value`; `end` if there is none. */
export function lowerBound(sorted: ArrayLike<number>, value: number, start = 0, end = sorted.length): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index in [start, end) whose value is above `value`; `end` if there is none. */
export function upperBound(sorted: ArrayLike<number>, value: number, start = 0, end = sorted.length): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
