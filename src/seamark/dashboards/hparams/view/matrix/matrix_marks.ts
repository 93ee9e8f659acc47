/** The picture of the scatter matrix as marks: dots below the diagonal, bars on it, a frame around each cell. */

import { gpu, type Mark } from "$public/charts";
import type { ParallelAxis } from "../axes/axes";
import { binsFor, countsAlong, sharesAlong, transformOf, type MatrixCell } from "./matrix";

const MAX_BAR_PX = 24;
const BAR_INSET_PX = 4;

/** The columns of one axis in cells of one size. */
export interface AxisColumns {
  readonly across: Float32Array;
  readonly up: Float32Array;
}

export function columnsOf(axes: readonly ParallelAxis[], cells: readonly MatrixCell[]): AxisColumns[] {
  const [first] = cells;
  return first
    ? axes.map((axis) => ({ across: sharesAlong(axis, first.width), up: sharesAlong(axis, first.height) }))
    : [];
}

export interface DotStyle {
  /** Rows outside and inside the brush; the last lies on top. */
  readonly outside: Uint32Array;
  readonly inside: Uint32Array;
  /** Of each row inside, as `pixelOf` makes them. */
  readonly colours: Uint32Array;
  readonly outsideColour: number;
}

export function dotMarks(
  cells: readonly MatrixCell[],
  columns: readonly AxisColumns[],
  { outside, inside, colours, outsideColour }: DotStyle,
): Mark[] {
  const rows = colours.length;
  const radius = rows > 2000 ? 1.1 : rows > 500 ? 1.5 : 2;
  return cells
    .filter(({ column, row }) => column < row)
    .flatMap((cell): Mark[] => {
      const shared = {
        type: "points" as const,
        x: columns[cell.column]!.across,
        y: columns[cell.row]!.up,
        transform: transformOf(cell),
      };
      return [
        { ...shared, order: outside, colour: outsideColour, radius: radius * 0.75 },
        { ...shared, order: inside, colour: colours, radius },
      ];
    });
}

/** How many trials lie in each part of the axis, and how many of them inside the brush. */
export function barMarks(
  cell: MatrixCell,
  axis: ParallelAxis,
  inside: Uint8Array,
  colours: { readonly all: number; readonly inside: number },
): Mark[] {
  const bins = binsFor(axis);
  const counts = countsAlong(axis, inside, bins);
  const step = (cell.width - 2 * BAR_INSET_PX) / bins;
  const perTrial = (cell.height - 8) / counts.highest;
  const bars = (of: Uint32Array, colour: number): Mark => ({
    type: "rects",
    ...gpu.bars(
      Array.from(of, (count) => count * perTrial),
      { left: cell.x + BAR_INSET_PX, step, base: cell.y + cell.height, width: Math.min(step - 1, MAX_BAR_PX) },
    ),
    colour,
    transform: gpu.PIXELS,
  });
  return [bars(counts.all, colours.all), bars(counts.inside, colours.inside)];
}

export function frameMark(cells: readonly MatrixCell[], colour: number): Mark {
  const corners = cells
    .filter(({ column, row }) => column <= row)
    .flatMap(({ x, y, width, height }) => {
      const [left, top, right, bottom] = [x + 0.5, y + 0.5, x + width + 0.5, y + height + 0.5];
      return [
        [left, top, right, top],
        [right, top, right, bottom],
        [right, bottom, left, bottom],
        [left, bottom, left, top],
      ].flat();
    });
  return {
    type: "lines",
    x: Float32Array.from({ length: corners.length / 2 }, (_, corner) => corners[2 * corner]!),
    y: Float32Array.from({ length: corners.length / 2 }, (_, corner) => corners[2 * corner + 1]!),
    isJoined: false,
    width: 1,
    colour,
    transform: gpu.PIXELS,
  };
}
