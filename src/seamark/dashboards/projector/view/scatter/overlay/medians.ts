/** Where the names of groups of rows stand: at the row that is nearest to the median. */

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

/** The groups that have shown rows, with a place in their middle: the median itself may lie among other groups. `codes`: by row; -1 for none. */
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
    rows.length === 0 ? [] : [{ code, count: counts[code]!, ...placeOf(rowNearest({ x, y, z }, rows)) }],
  );

  function placeOf(row: number): Pick<GroupPosition, "x" | "y" | "z"> {
    return { x: x[row]!, y: y[row]!, z: z ? z[row]! : 0 };
  }
}

/** To the median of each axis. */
function rowNearest({ x, y, z }: Positions, rows: readonly number[]): number {
  const axes = z ? [x, y, z] : [x, y];
  const middle = axes.map((axis) => median(axis, rows));
  const away = (row: number): number => axes.reduce((sum, axis, at) => sum + (axis[row]! - middle[at]!) ** 2, 0);
  return rows.reduce((best, row) => (away(row) < away(best) ? row : best));
}

function median(values: Float32Array, rows: readonly number[]): number {
  const sorted = Float32Array.from(rows, (row) => values[row]!).sort();
  return sorted[sorted.length >> 1]!;
}
