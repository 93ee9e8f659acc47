/** The row in [first, end) nearest to x, or -1 when there is none. */
export function nearestRow(x: ArrayLike<number>, at: number, first = 0, end = x.length): number {
  if (end <= first) return -1;
  let low = first;
  let high = end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low > first && at - x[low - 1]! <= x[low]! - at ? low - 1 : low;
}
