/** What lies under the pointer: the nearest row of a series, the nearest series, a row of each at one x. */

import { byName } from "../base/tags";
import type { Shown } from "./domain";
import { nearestRow } from "./nearest_row";
import { xAt, xBounds, type SeriesInfo, type SeriesSet } from "./series";

function nearestUnsorted(x: ArrayLike<number>, at: number, first: number, end: number): number {
  let best = -1;
  let least = Infinity;
  for (let row = first; row < end; row += 1) {
    const away = Math.abs(x[row]! - at);
    if (away < least) {
      least = away;
      best = row;
    }
  }
  return best;
}

export function rowOf(set: SeriesSet, index: number, at: number): number {
  const find = set.sorted ? nearestRow : nearestUnsorted;
  const [from, to] = xBounds(set, index);
  const found = find(set.x, at, from, to);
  return found < 0 ? found : found - from + set.offsets[index]!;
}

export interface Nearest {
  readonly series: number;
  /** Row of the whole set. */
  readonly index: number;
  /** In the pixels of the projection. */
  readonly distance: number;
}

export interface Projection {
  toX(value: number): number;
  toY(value: number): number;
  fromX(pixel: number): number;
}

/** The series whose line passes nearest to a pixel. A binary search each is quick enough for thousands. */
export function nearestSeries(set: SeriesSet, shown: Shown, at: Projection, px: number, py: number): Nearest | null {
  const x = at.fromX(px);
  let best: Nearest | null = null;
  for (let i = 0; i < shown.length; i += 1) {
    const series = shown[i]!;
    const row = rowOf(set, series, x);
    if (row < 0) continue;
    const distance = distanceTo(set, series, row, at, px, py);
    if (distance < (best?.distance ?? Infinity)) best = { series, index: row, distance };
  }
  return best;
}

/** Distance to the two pieces of line that meet in a row; infinite in a gap. */
function distanceTo(set: SeriesSet, series: number, row: number, at: Projection, px: number, py: number): number {
  const { curve, offsets } = set;
  const dx = px - at.toX(xAt(set, series, row));
  const dy = py - at.toY(curve[row]!);
  let least = dx * dx + dy * dy;
  for (let other = row - 1; other <= row + 1; other += 2) {
    if (other < offsets[series]! || other >= offsets[series + 1]!) continue;
    const away = squareToSegment(dx, dy, px - at.toX(xAt(set, series, other)), py - at.toY(curve[other]!));
    if (away < least) least = away;
  }
  return Number.isNaN(least) ? Infinity : Math.sqrt(least);
}

/** From the origin to the line between two points. */
function squareToSegment(x0: number, y0: number, x1: number, y1: number): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const along = -(x0 * dx + y0 * dy) / (dx * dx + dy * dy || 1);
  const share = along < 0 ? 0 : along > 1 ? 1 : along;
  const nearX = x0 + share * dx;
  const nearY = y0 + share * dy;
  return nearX * nearX + nearY * nearY;
}

/** Where the triangles of non-finite values are, on the baseline. */
const MARK_PX = { above: 12, beside: 6 };

/** The triangle under a pixel: a row in which a value was NaN or infinite. */
export function nearestMark(
  set: SeriesSet,
  shown: Shown,
  at: Projection & { readonly bottom: number },
  px: number,
  py: number,
): Nearest | null {
  if (set.marks.length === 0 || py < at.bottom - MARK_PX.above || py > at.bottom + 2) return null;
  const isShown = new Set(Array.from(shown));
  let series = 0;
  let best: Nearest | null = null;
  for (const index of set.marks) {
    while (index >= set.offsets[series + 1]!) series += 1;
    const distance = Math.abs(px - at.toX(xAt(set, series, index)));
    if (isShown.has(series) && distance <= (best?.distance ?? MARK_PX.beside)) best = { series, index, distance };
  }
  return best;
}

/** A value of a row and what it is: "logged" at the row's step, or the mean of several steps, or smoothed. */
export interface RowValue {
  readonly value: number;
  readonly kind: "logged" | "mean" | "smoothed";
}

export function valueAt(set: SeriesSet, row: number): RowValue {
  const { logged, raw, rawLeftOut, fill } = set;
  if (logged?.last) return { value: logged.last[row]!, kind: "logged" };
  if (rawLeftOut) return { value: raw[row]!, kind: "smoothed" };
  return { value: raw[row]!, kind: fill === "band" || (logged?.count?.[row] ?? 1) > 1 ? "mean" : "logged" };
}

export type TipOrder = "nearest" | "ascending" | "descending" | "name";

export interface TipRow {
  readonly series: number;
  readonly index: number;
  readonly info: SeriesInfo;
  readonly x: number;
  readonly value: number;
  readonly kind: RowValue["kind"];
  readonly smoothed: number;
  /** How many logged points the row stands for, their mean, and how many were not finite. */
  readonly count: number;
  readonly mean: number;
  readonly nan: number;
  readonly posinf: number;
  readonly neginf: number;
  readonly low: number;
  readonly high: number;
  /** Of a group: how many lines it is the mean of. */
  readonly members: number;
  readonly step: number;
  readonly relativeSecs: number;
  readonly wallSecs: number;
}

/** The row of each series nearest to x. A series that ended earlier gives its own last one. */
export function rowsAt(
  set: SeriesSet,
  shown: Shown,
  x: number,
  { order, value, nearest }: { order: TipOrder; value: number; nearest?: number | undefined },
): TipRow[] {
  const rows: TipRow[] = [];
  for (let i = 0; i < shown.length; i += 1) {
    const index = rowOf(set, shown[i]!, x);
    if (index >= 0 && !isBeside(set, shown[i]!, x)) rows.push(tipRow(set, shown[i]!, index));
  }
  return rows.sort(comparison(order, value, nearest));
}

/** What was replaced is told only where it was: it says nothing about other steps. */
function isBeside(set: SeriesSet, index: number, at: number): boolean {
  const [from, to] = xBounds(set, index);
  return set.series[index]!.replaced === true && (at < set.x[from]! || at > set.x[to - 1]!);
}

export function tipRow(set: SeriesSet, series: number, index: number): TipRow {
  const wallSecs = set.wall?.[index] ?? NaN;
  const at = (name: "count" | "nan" | "posinf" | "neginf"): number => set.logged?.[name]?.[index] || 0;
  return {
    series,
    index,
    info: set.series[series]!,
    x: xAt(set, series, index),
    ...valueAt(set, index),
    count: at("count") || 1,
    mean: set.raw[index]!,
    nan: at("nan"),
    posinf: at("posinf"),
    neginf: at("neginf"),
    smoothed: set.curve[index]!,
    low: set.low?.[index] ?? NaN,
    high: set.high?.[index] ?? NaN,
    members: set.group?.members[index] ?? 1,
    step: set.step === set.x ? xAt(set, series, index) : (set.step?.[index] ?? NaN),
    wallSecs,
    relativeSecs: wallSecs - set.began[series]!,
  };
}

/** What is not a number comes last, however the rest is sorted. `nearest` passes nearest to the pointer, if not at its x. */
function comparison(order: TipOrder, value: number, nearest?: number): (a: TipRow, b: TipRow) => number {
  if (order === "name") return (a, b) => byName(a.info.name, b.info.name) || a.info.attempt - b.info.attempt;
  const key = ({ smoothed, series }: TipRow): number => {
    if (!Number.isFinite(smoothed)) return Infinity;
    if (order === "nearest" && series === nearest) return -1;
    return order === "nearest" ? Math.abs(smoothed - value) : order === "ascending" ? smoothed : -smoothed;
  };
  return (a, b) => {
    const left = key(a);
    const right = key(b);
    return left === right ? 0 : left - right;
  };
}

export const isNonFinite = ({ nan, posinf, neginf, value }: TipRow): boolean =>
  nan + posinf + neginf > 0 || !Number.isFinite(value);

export interface TipWindow {
  readonly rows: readonly TipRow[];
  readonly above: number;
  readonly below: number;
}

/** Rows without a number are in any order the last; so many of them are kept in a table that is cut short. */
const MAX_KEPT = 3;

/** The part of a table that is too long, around one of its rows; rows with values that are not finite stay in it. */
export function tipWindow(rows: readonly TipRow[], near: number, size: number): TipWindow {
  if (rows.length <= size) return { rows, above: 0, below: 0 };
  const around = (room: number): number => Math.max(0, Math.min(near - (room >> 1), rows.length - room));
  let kept: TipRow[] = [];
  let [start, room] = [around(size), size];
  // Fewer rows around the near one may leave out another that has to be kept: at most a few times.
  for (let tries = 0; tries <= MAX_KEPT; tries += 1) {
    [start, room] = [around(size - kept.length), size - kept.length];
    const outside = rows.filter((row, index) => isNonFinite(row) && (index < start || index >= start + room));
    if (outside.length <= kept.length) break;
    kept = outside.slice(0, MAX_KEPT);
  }
  const hidden = (from: number, to: number): number => rows.slice(from, to).filter((row) => !kept.includes(row)).length;
  return {
    rows: [...rows.slice(start, start + room), ...kept.filter((row) => !rows.slice(start, start + room).includes(row))],
    above: hidden(0, start),
    below: hidden(start + room, rows.length),
  };
}

/** The x one row further along a series, for the arrow keys. */
export function stepX(set: SeriesSet, series: number, x: number, by: number): number {
  const first = set.offsets[series]!;
  const last = set.offsets[series + 1]! - 1;
  const row = rowOf(set, series, x);
  return row < 0 ? x : xAt(set, series, Math.min(Math.max(row + by, first), last));
}
