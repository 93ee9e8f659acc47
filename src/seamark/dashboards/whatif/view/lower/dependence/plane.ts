/** The plane of two features: its cells with their share of the colour ramp. */

import type { PartialDependence } from "../../wire";
import { textOfCell } from "../../editor/edits/edits";

export interface PlaneCell {
  readonly column: number;
  readonly row: number;
  readonly score: number;
  /** 0 to 1 between the smallest and the largest score. */
  readonly share: number;
  readonly title: string;
}

export interface Plane {
  readonly cells: readonly PlaneCell[];
  readonly low: number;
  readonly high: number;
}

/** The second feature runs upwards. */
export function planeOf(result: PartialDependence): Plane {
  const known = result.mean.filter((score) => score !== null);
  const low = Math.min(...known, Infinity);
  const high = Math.max(...known, -Infinity);
  if (!(low <= high)) return { cells: [], low: 0, high: 0 };
  const cells = result.mean.flatMap((score, index) => {
    if (score === null) return [];
    const column = index % result.grid.length;
    const along = Math.floor(index / result.grid.length);
    return [
      {
        column,
        row: result.grid2.length - 1 - along,
        score,
        share: high === low ? 0.5 : (score - low) / (high - low),
        title: `${result.feature} ${textOfCell(result.grid[column])}, ${result.feature2} ${textOfCell(result.grid2[along])}: ${+score.toPrecision(4)}`,
      },
    ];
  });
  return { cells, low, high };
}

/** The share of a ramp of seven colours, `--q1` to `--q7`. */
export const rampToken = (share: number): string => `var(--q${1 + Math.min(6, Math.floor(share * 7))})`;

/** How many of the values are in each of `count` bins of equal width between the ends of the grid. */
export function histogram(values: ArrayLike<number>, from: number, to: number, count: number): readonly number[] {
  const bins = new Array<number>(count).fill(0);
  if (!(to > from)) return bins;
  for (let row = 0; row < values.length; row += 1) {
    const share = (values[row]! - from) / (to - from);
    if (share >= 0 && share <= 1) bins[Math.min(count - 1, Math.floor(share * count))]! += 1;
  }
  return bins;
}

/** How many rows have each of these names. */
export function countsOf(codes: ArrayLike<number>, positions: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (let row = 0; row < codes.length; row += 1) counts.set(codes[row]!, (counts.get(codes[row]!) ?? 0) + 1);
  return positions.map((code) => counts.get(code) ?? 0);
}
