/** The points of a series in order of x, as a chart draws them: a line, or one for each attempt. core/query/line.cc is the same. */

import type { Axis } from "../../api";
import type { Attempts } from "../../series";
import { Rows, type SeriesPoints, type Span } from "./series_points";

export interface Line {
  readonly x: Float64Array;
  readonly steps: Float64Array;
  readonly walls: Float64Array;
  readonly values: Float64Array;
  readonly attempt: number;
  readonly isReplaced: boolean;
}

/** A line of rows in order of x. */
export class PointLine extends Rows implements Line {
  constructor(
    rows: Columns,
    readonly x: Float64Array,
    readonly attempt: number,
    readonly isReplaced: boolean,
  ) {
    super(rows.steps, rows.values, () => rows.walls);
  }
}

type Columns = Pick<SeriesPoints, "steps" | "walls" | "values">;

/** First row and the row behind the last one. */
export type RowRange = readonly [number, number];

/** The rows of a line. */
export interface AttemptRanges {
  readonly attempt: number;
  readonly isReplaced: boolean;
  readonly ranges: RowRange[];
}

/** More attempts than this become one line. */
const MAX_ATTEMPTS = 1000;

export function linesOf(points: SeriesPoints, axis: Axis, attempts: Attempts): Line[] {
  const parts = partsOf(points.steps.length, points.spans, attempts).map((part) => ({
    ...part,
    rows: gather(points, part.ranges),
  }));
  const origin = axis === "relative" ? firstWall(parts.map(({ rows }) => rows.walls)) : 0;
  return parts
    .map(({ rows, attempt, isReplaced }) => {
      const sorted = inOrder(rows, axis);
      return new PointLine(sorted, positions(sorted, axis, origin), attempt, isReplaced);
    })
    .filter(({ x }) => x.length > 0);
}

export function pointsOf(rows: number, spans: readonly Span[], attempts: Attempts): number {
  if (attempts !== "latest") return rows;
  return spans.reduce((sum, span, at) => sum + (span.isReplaced ? 0 : endOf(spans, at, rows) - span.start), 0);
}

export const endOf = (spans: readonly Span[], at: number, rows: number): number => spans[at + 1]?.start ?? rows;

/** The points of each line; the current points, if requested, come last. */
export function partsOf(rows: number, spans: readonly Span[], attempts: Attempts): AttemptRanges[] {
  const current: AttemptRanges = { attempt: spans.at(-1)?.attempt ?? 0, isReplaced: false, ranges: [] };
  const others: AttemptRanges[] = [];
  spans.forEach(({ start, attempt, isReplaced }, at) => {
    const range = [start, endOf(spans, at, rows)] as const;
    if (attempts !== "all" && !isReplaced) current.ranges.push(range);
    if (attempts === "latest" || (attempts === "marked" && !isReplaced)) return;
    if (others.at(-1)?.attempt !== attempt) others.push({ attempt, isReplaced: attempts === "marked", ranges: [] });
    others.at(-1)!.ranges.push(range);
  });
  const joined =
    others.length > MAX_ATTEMPTS ? [{ ...others[0]!, ranges: others.flatMap(({ ranges }) => ranges) }] : others;
  return attempts === "all" ? joined : [...joined, current];
}

function gather(points: SeriesPoints, ranges: readonly RowRange[]): Columns {
  // The arrays themselves: series that share their steps have the same x.
  if (ranges.length === 1 && ranges[0]![0] === 0 && ranges[0]![1] === points.steps.length) return points;
  const pick = (column: Float64Array): Float64Array => {
    if (ranges.length === 1) return column.subarray(...ranges[0]!);
    const out = new Float64Array(ranges.reduce((sum, [from, to]) => sum + to - from, 0));
    let at = 0;
    for (const [from, to] of ranges) {
      out.set(column.subarray(from, to), at);
      at += to - from;
    }
    return out;
  };
  return new Rows(pick(points.steps), pick(points.values), () => pick(points.walls));
}

/** The wall time of the first point that has a finite one; with several attempts, the earliest of theirs. */
function firstWall(parts: readonly Float64Array[]): number {
  const first = Math.min(...parts.map((walls) => walls.find(Number.isFinite) ?? Infinity));
  return Number.isFinite(first) ? first : 0;
}

/** On a time axis, points without a finite wall time are left out. */
function inOrder(rows: Columns, axis: Axis): Columns {
  const key = axis === "step" ? rows.steps : rows.walls;
  return isAscending(key) ? rows : sort(rows, key);
}

export function positions(rows: Columns, axis: Axis, origin: number): Float64Array {
  if (axis === "step") return rows.steps;
  return axis === "wall" ? rows.walls : rows.walls.map((wall) => wall - origin);
}

function isAscending(key: Float64Array): boolean {
  let before = -Infinity;
  for (const value of key) {
    if (!(value >= before)) return false;
    before = value;
  }
  return true;
}

/** By the key, then in order of arrival. */
function sort(rows: Columns, key: Float64Array): Columns {
  const order = Array.from(key.keys()).filter((row) => Number.isFinite(key[row]));
  order.sort((a, b) => key[a]! - key[b]! || a - b);
  const pick = (column: Float64Array): Float64Array => Float64Array.from(order, (row) => column[row]!);
  return new Rows(pick(rows.steps), pick(rows.values), () => pick(rows.walls));
}
