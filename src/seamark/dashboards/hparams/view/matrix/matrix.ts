/** The scatter matrix without a page: cells, dots, counts along the diagonal, and how strongly two columns go together. */

import type { Transform } from "$public/charts";
import type { ParallelAxis } from "../axes/axes";
import { VALUE, type TrialColumn } from "../columns/columns";

export interface MatrixCell {
  /** The axis along x, and the one along y. */
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LEFT = 84;
const BOTTOM = 22;
const GAP = 5;
const INSET = 5;

/** All cells, row by row; below the diagonal dots, on it counts, above it the correlation. */
export function cellsOf(axes: number, width: number, height: number): MatrixCell[] {
  const cellWidth = (width - LEFT - 8) / axes;
  const cellHeight = (height - 6 - BOTTOM) / axes;
  const cells: MatrixCell[] = [];
  for (let row = 0; row < axes; row += 1) {
    for (let column = 0; column < axes; column += 1) {
      cells.push({
        column,
        row,
        x: Math.round(LEFT + column * cellWidth),
        y: Math.round(6 + row * cellHeight),
        width: Math.max(8, Math.round(cellWidth - GAP)),
        height: Math.max(8, Math.round(cellHeight - GAP)),
      });
    }
  }
  return cells;
}

/** As many as can be read at this size. */
export function maxAxes(width: number, height: number): number {
  return Math.max(2, Math.min(8, Math.floor((width - LEFT) / 84), Math.floor((height - BOTTOM) / 56)));
}

/** From shares of both axes to pixels. */
export const transformOf = ({ x, y, width, height }: MatrixCell): Transform => ({
  scaleX: width - 2 * INSET,
  offsetX: x + INSET,
  scaleY: 2 * INSET - height,
  offsetY: y + height - INSET,
});

/** Where a trial without a value lies, as a share of a side of the cell: just inside its edge, not among the values. */
const edgeShare = (side: number): number => (1 - INSET) / (side - 2 * INSET);

/** The shares of all trials along an axis whose cells have a side of this length. */
export function sharesAlong({ at }: Pick<ParallelAxis, "at">, side: number): Float32Array {
  const edge = edgeShare(side);
  return at.map((share) => (share < 0 ? edge : share));
}

/** In pixels. */
export function dotAt(cell: MatrixCell, across: number, up: number): { x: number; y: number } {
  const { scaleX, scaleY, offsetX, offsetY } = transformOf(cell);
  return {
    x: (across < 0 ? edgeShare(cell.width) : across) * scaleX + offsetX,
    y: (up < 0 ? edgeShare(cell.height) : up) * scaleY + offsetY,
  };
}

/** The inverse of `dotAt`, not limited to the cell. */
export function shareAt(cell: MatrixCell, x: number, y: number): { readonly across: number; readonly up: number } {
  const { scaleX, scaleY, offsetX, offsetY } = transformOf(cell);
  return { across: (x - offsetX) / scaleX, up: (y - offsetY) / scaleY };
}

export const cellAt = (cells: readonly MatrixCell[], x: number, y: number): MatrixCell | undefined =>
  cells.find((cell) => x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height);

export interface Counts {
  readonly all: Uint32Array;
  readonly inside: Uint32Array;
  /** The largest of all. */
  readonly highest: number;
}

const BINS = 16;
const MAX_STEPS = 48;

/** A bar for each step, which its dots are spread around; else parts of one size. */
export const binsFor = ({ scale, ticks }: Pick<ParallelAxis, "scale" | "ticks">): number =>
  scale === "steps" && ticks.length > 0 && ticks.length <= MAX_STEPS ? ticks.length : BINS;

/** How many trials lie in each part of an axis, and how many of them inside the brush. */
export function countsAlong({ at }: Pick<ParallelAxis, "at">, inside: Uint8Array, bins: number): Counts {
  const all = new Uint32Array(bins);
  const within = new Uint32Array(bins);
  for (let row = 0; row < at.length; row += 1) {
    const share = at[row]!;
    if (share < 0) continue;
    const bin = Math.min(bins - 1, Math.floor(share * bins));
    all[bin]! += 1;
    within[bin]! += inside[row]!;
  }
  return { all, inside: within, highest: Math.max(1, ...all) };
}

/** Words have no order that a correlation could follow; yes and no do. */
export const hasOrder = ({ categories, type }: TrialColumn): boolean => categories === null || type === "bool";

/** Spearman's ρ over the trials that have both; null where it says nothing. */
export function spearman(a: TrialColumn, b: TrialColumn): number | null {
  if (!hasOrder(a) || !hasOrder(b)) return null;
  const rows: number[] = [];
  for (let row = 0; row < a.numbers.length; row += 1)
    if (a.states[row] === VALUE && b.states[row] === VALUE) rows.push(row);
  if (rows.length < 3) return null;
  return pearson(ranksOf(rows.map((row) => a.numbers[row]!)), ranksOf(rows.map((row) => b.numbers[row]!)));
}

/** Equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): Float64Array {
  const order = values.map((_, index) => index).sort((i, j) => values[i]! - values[j]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at]!] = (from + to) / 2;
    from = to + 1;
  }
  return ranks;
}

function pearson(a: Float64Array, b: Float64Array): number | null {
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squareA, squareB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at]! - meanA, b[at]! - meanB];
    both += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return squareA === 0 || squareB === 0 ? null : both / Math.sqrt(squareA * squareB);
}
