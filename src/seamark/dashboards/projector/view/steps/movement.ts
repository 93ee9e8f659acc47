/** Which points moved most, and where they were at earlier steps. */

import type { Projection } from "../wire";

/** The positions of a row from the first step to the present one. */
export interface Trail {
  readonly row: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Null in two dimensions. */
  readonly z: Float32Array | null;
}

/** The rows that moved farthest, in descending order; those that are at no step or did not move are left out. */
export function movedMost(moved: Float32Array, count: number): Uint32Array {
  const rows = Uint32Array.from(moved.keys()).filter((row) => moved[row]! > 0);
  return rows.sort((a, b) => moved[b]! - moved[a]!).subarray(0, count);
}

/** A trail for each row with at least two positions. The pictures are in the order of their steps. */
export function trailsOf(pictures: readonly Projection[], rows: ArrayLike<number>): Trail[] {
  const trails: Trail[] = [];
  for (const row of Array.from(rows)) {
    const placed = pictures.filter(({ x }) => Number.isFinite(x[row]));
    if (placed.length < 2) continue;
    const along = (column: "x" | "y" | "z"): Float32Array =>
      Float32Array.from(placed, (one) => one[column]?.[row] ?? 0);
    const isSolid = placed.every(({ z }) => z !== null);
    trails.push({ row, x: along("x"), y: along("y"), z: isSolid ? along("z") : null });
  }
  return trails;
}

/** Heights of the bars from 0 to 1: one for each step, the first without one. */
export function barHeights(means: readonly number[]): number[] {
  const largest = Math.max(...means.filter(Number.isFinite), 0);
  return [0, ...means.map((mean) => (largest > 0 && Number.isFinite(mean) ? mean / largest : 0))];
}
