/** Where the names of groups of rows stand: at the median of their rows. */

import type { Positions } from "../camera";

export interface GroupPosition {
  /** The position in the list of groups. */
  readonly code: number;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** So many rows of a group are enough for its median. */
const MAX_ROWS = 500;

/** The groups that have shown rows, with the median of each axis. `codes`: by row; -1 for none. */
export function groupPositions(
  { x, y, z }: Positions,
  codes: ArrayLike<number>,
  groups: number,
  isShown: (row: number) => boolean,
): GroupPosition[] {
  const counts = new Uint32Array(groups);
  const total = Math.min(x.length, codes.length);
  const isPlaced = (row: number): boolean => codes[row]! >= 0 && x[row]! - x[row]! === 0 && isShown(row);
  for (let row = 0; row < total; row += 1) if (isPlaced(row)) counts[codes[row]!]! += 1;
  const samples = Array.from(counts, (): number[] => []);
  const seen = new Uint32Array(groups);
  for (let row = 0; row < total; row += 1) {
    if (!isPlaced(row)) continue;
    const code = codes[row]!;
    const every = Math.ceil(counts[code]! / MAX_ROWS);
    if (seen[code]!++ % every === 0) samples[code]!.push(row);
  }
  return samples.flatMap((rows, code) =>
    rows.length === 0
      ? []
      : [{ code, count: counts[code]!, x: median(x, rows), y: median(y, rows), z: z ? median(z, rows) : 0 }],
  );
}

function median(values: Float32Array, rows: readonly number[]): number {
  const sorted = Float32Array.from(rows, (row) => values[row]!).sort();
  return sorted[sorted.length >> 1]!;
}
