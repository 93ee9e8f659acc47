/** Which points moved most, and at which steps. */

/** The shown rows that moved farthest, in descending order; those that are at no step or did not move are left out. */
export function movedMost(moved: Float32Array, count: number, visible: Uint8Array | null = null): Uint32Array {
  const rows = Uint32Array.from(moved.keys()).filter((row) => moved[row]! > 0 && visible?.[row] !== 0);
  return rows.sort((a, b) => moved[b]! - moved[a]!).subarray(0, count);
}

/** Heights of the bars from 0 to 1: one for each step, the first without one. */
export function barHeights(means: readonly number[]): number[] {
  const largest = Math.max(...means.filter(Number.isFinite), 0);
  return [0, ...means.map((mean) => (largest > 0 && Number.isFinite(mean) ? mean / largest : 0))];
}
