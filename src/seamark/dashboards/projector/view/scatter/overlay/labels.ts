/** Which labels are candidates, and which of them are placed: names of groups first, then of points, by importance and zoom. */

import { viewports, type Point, type Size } from "$public/charts";
import { pixelOf, type Plane, type Positions } from "../camera";
import { HIDDEN } from "../colours";
import type { GroupPosition } from "./medians";

export type LabelRank = "inspected" | "found" | "cluster" | "class" | "point";

export interface LabelText {
  readonly rank: LabelRank;
  readonly text: string;
  /** Pixels. */
  readonly x: number;
  readonly y: number;
  /** Within its rank. */
  readonly importance: number;
}

export interface PlacedText extends LabelText {
  readonly left: number;
  /** The middle of the line. */
  readonly middle: number;
}

const RANKS: Readonly<Record<LabelRank, number>> = { inspected: 4, found: 3, cluster: 2, class: 1, point: 0 };
export const FONT_PX: Readonly<Record<LabelRank, number>> = {
  inspected: 12,
  found: 11,
  cluster: 12,
  class: 11,
  point: 11,
};
export const isBold = (rank: LabelRank): boolean => rank === "inspected" || rank === "cluster";
const LINE = 1.25;
const MAX_LETTERS = 32;

export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS - 1)}…` : line;
};

export type MeasureText = (text: string, rank: LabelRank) => number;

/** The labels that fit: dropped, never overlapped. Names of groups lie over their rows, names of points beside them. */
export function placeTexts(texts: readonly LabelText[], size: Size, measure: MeasureText): PlacedText[] {
  const shown = texts.filter(({ x, y, text }) => text !== "" && x > 0 && y > 0 && x < size.width && y < size.height);
  const labels = shown.map(({ rank, text, x, y, importance }) => {
    const width = measure(text, rank);
    const isGroup = rank === "cluster" || rank === "class";
    // A point's label starts to the right of its dot.
    const at = isGroup ? x : x + width / 2 + POINT_GAP_PX;
    return { x: at, y, width, height: FONT_PX[rank] * LINE, importance: RANKS[rank] + Math.min(0.999, importance) };
  });
  const within = { left: 2, top: 2, right: size.width - 2, bottom: size.height - 2 };
  return viewports
    .placeLabels(labels, { gapPx: 2, within })
    .map(({ index, box }) => ({ ...shown[index]!, left: box.left, middle: (box.top + box.bottom) / 2 }));
}

const POINT_GAP_PX = 7;
const [CELL_WIDTH_PX, CELL_HEIGHT_PX] = [96, 26];
const MAX_POINT_LABELS = 300;
/** Of a picture that has the names of groups: only its outermost points are named, too. */
const MAX_EXTREMES = 8;
/** How much of the picture a label has for itself at zoom 1. */
const PX_OF_A_LABEL = 22_000;

/** More labels in a larger picture, and when zoomed in; `zoom` 1 shows everything. */
export function pointLabelLimit(zoom: number, hasGroups: boolean, { width, height }: Size): number {
  if (hasGroups && zoom < 1.6) return MAX_EXTREMES;
  return Math.min(MAX_POINT_LABELS, Math.round(((width * height) / PX_OF_A_LABEL) * zoom ** 1.5));
}

const DIRECTIONS = 16;

/** The outermost of the rows in view, one for each of some directions, without repetition. */
export function extremeRows(rows: Uint32Array, seen: SeenRows, size: Size): number[] {
  const best = new Int32Array(DIRECTIONS).fill(-1);
  const reach = new Float64Array(DIRECTIONS).fill(-Infinity);
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Float64Array.from({ length: DIRECTIONS }, (_, at) => of((2 * Math.PI * at) / DIRECTIONS))) as [Float64Array, Float64Array]; // prettier-ignore
  eachInView(rows, seen, size, (row, { x, y }) => {
    for (let at = 0; at < DIRECTIONS; at += 1) {
      const away = x * cos[at]! + y * sin[at]!;
      if (away > reach[at]!) [reach[at], best[at]] = [away, row];
    }
  });
  return [...new Set(best)].filter((row) => row >= 0);
}

/** The rows with the largest values, such as the most frequent words: the largest first. */
export function largestRows(rows: Uint32Array, values: ArrayLike<number>, count: number): number[] {
  const known = Array.from(rows).filter((row) => values[row]! - values[row]! === 0); // finite
  return known.sort((a, b) => values[b]! - values[a]!).slice(0, count);
}

export interface SeenRows {
  readonly positions: Positions;
  readonly plane: Plane;
  readonly emphasis: Uint8Array;
}

function eachInView(
  rows: ArrayLike<number>,
  { positions, plane, emphasis }: SeenRows,
  size: Size,
  take: (row: number, at: Point) => boolean | void,
): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (emphasis[row] === HIDDEN) continue;
    const pixel = pixelOf(plane, positions, row);
    if (pixel.x > 0 && pixel.y > 0 && pixel.x < size.width && pixel.y < size.height && take(row, pixel) === false) return; // prettier-ignore
  }
}

/** Rows to label: at most one in each cell of the picture, the same ones while it moves, since `rows` has a fixed order. */
export function labelRows(rows: ArrayLike<number>, seen: SeenRows, size: Size, limit: number): number[] {
  const found: number[] = [];
  const taken = new Set<number>();
  eachInView(rows, seen, size, (row, { x, y }) => {
    if (found.length >= limit) return false;
    const cell = Math.floor(y / CELL_HEIGHT_PX) * 1000 + Math.floor(x / CELL_WIDTH_PX);
    if (taken.has(cell)) return true;
    taken.add(cell);
    found.push(row);
    return true;
  });
  return found;
}

/** The names of groups as labels; the larger the group, the earlier it is placed. */
export function groupTexts(
  groups: readonly GroupPosition[],
  names: readonly string[],
  plane: Plane,
  rank: "cluster" | "class",
): LabelText[] {
  const most = Math.max(1, ...groups.map(({ count }) => count));
  return groups.map(({ code, count, x, y, z }) => ({
    rank,
    text: shortened(names[code] ?? ""),
    x: plane.u[0] * x + plane.u[1] * y + plane.u[2] * z + plane.u[3],
    y: plane.v[0] * x + plane.v[1] * y + plane.v[2] * z + plane.v[3],
    importance: (count / most) * 0.99,
  }));
}
