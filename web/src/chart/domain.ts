/** Which part of the plane a chart shows when nobody said: all of x, and the y values in it, with a little air. */

import { quickselect } from "d3-array";
import { lowerBound, upperBound } from "../base/binary_search";
import { project, drawable, invert, type Range, type Scale } from "./scale";
import type { NumberColumn } from "../data/columns";
import { nearestRow } from "./nearest_row";
import { xAt, xBounds, type SeriesSet } from "./series";

/** Indexes of the series that are drawn. */
export type Shown = ArrayLike<number>;

/** The x range of the series; null when they have no rows. */
export function extentX(set: SeriesSet, shown: Shown): Range | null {
  let from = Infinity;
  let to = -Infinity;
  for (let i = 0; i < shown.length; i += 1) {
    const [first, end] = xBounds(set, shown[i]!);
    const step = set.sorted ? Math.max(1, end - 1 - first) : 1;
    for (let row = first; row < end; row += step) {
      const x = set.x[row]!;
      if (x < from) from = x;
      if (x > to) to = x;
    }
  }
  return from > to ? null : { from, to };
}

export interface YOptions {
  readonly x: Range;
  readonly scale: Scale;
  readonly clipOutliers: boolean;
  /** Lines so many that only curves are drawn: envelopes and raw lines need no room. */
  readonly curvesOnly: boolean;
}

/** The y range of what is drawn inside the x range; null when nothing there is finite. */
export function domainY(set: SeriesSet, shown: Shown, options: YOptions): Range | null {
  const columns = options.clipOutliers || options.curvesOnly ? [set.curve] : [set.curve, set.raw, set.low, set.high];
  const whole = extentY(
    set,
    shown,
    options,
    [...new Set(columns)].filter((column) => column !== null),
  );
  if (!whole) return null;
  return padded(options.scale, options.clipOutliers ? withoutOutliers(set, shown, options, whole) : whole);
}

function extentY(set: SeriesSet, shown: Shown, { x, scale }: YOptions, columns: readonly NumberColumn[]): Range | null {
  const floor = scale.kind === "log" ? Number.MIN_VALUE : -Number.MAX_VALUE;
  let from = Infinity;
  let to = -Infinity;
  for (let i = 0; i < shown.length; i += 1) {
    const [first, end] = rowsWithin(set, shown[i]!, x);
    for (const column of columns) {
      for (let row = first; row < end; row += 1) {
        const value = column[row]!;
        if (value < from && value >= floor) from = value;
        if (value > to && value >= floor && value <= Number.MAX_VALUE) to = value;
      }
    }
  }
  return from > to ? null : { from, to };
}

/** The rows of a series inside an x range; all of them when x is not in order. */
export function rowsWithin(set: SeriesSet, index: number, { from, to }: Range): [number, number] {
  const { x, offsets, sorted } = set;
  const [first, end] = xBounds(set, index);
  if (!sorted || end === first) return [offsets[index]!, offsets[index + 1]!];
  const rowsBefore = offsets[index]! - first;
  return [lowerBound(x, from, first, end) + rowsBefore, upperBound(x, to, first, end) + rowsBefore];
}

/** How many logged points the rows of a series inside an x range stand for. */
export function pointsWithin(set: SeriesSet, index: number, counts: ArrayLike<number>, range: Range): number {
  const [first, end] = rowsWithin(set, index, range);
  let points = 0;
  for (let row = first; row < end; row += 1) {
    // What is sorted was cut to the range already.
    if (set.sorted || isWithin(xAt(set, index, row), range)) points += counts[row]!;
  }
  return points;
}

const isWithin = (x: number, { from, to }: Range): boolean => x >= from && x <= to;

/** What reaches no further than the bulk is high still belongs: a smooth peak and a steep start are not cut. */
const NEAR = 1;

/** The bulk is what lies between the 5th and the 95th of a hundred values, as TensorBoard has it. */
function withoutOutliers(set: SeriesSet, shown: Shown, { x, scale }: YOptions, whole: Range): Range {
  const samples = evenSamples(set, shown, x, scale);
  const low = nthOf(samples, Math.ceil((samples.length - 1) * 0.05));
  const high = nthOf(samples, Math.floor((samples.length - 1) * 0.95));
  if (low === undefined || high === undefined || isFlat(low, high)) return whole;
  const near = (high - low) * NEAR;
  return {
    from: project(scale, whole.from) >= low - near ? whole.from : invert(scale, low),
    to: project(scale, whole.to) <= high + near ? whole.to : invert(scale, high),
  };
}

/** The value that would be at this index if they were sorted, which takes many times as long. Reorders them. */
const nthOf = (values: Float64Array, index: number): number | undefined => quickselect(values, index)[index];

const SAMPLES = 100;
const SAMPLES_OF_MANY = 20;

/** Values at even distances along x, so that a line counts by the room it takes and not by its number of rows. */
export function evenSamples(set: SeriesSet, shown: Shown, { from, to }: Range, scale: Scale): Float64Array {
  const count = shown.length > 100 ? SAMPLES_OF_MANY : SAMPLES;
  const samples = new Float64Array((count + 1) * shown.length);
  let used = 0;
  let rows: readonly number[] = [];
  let [rowsFrom, rowsTo] = [-1, -1];
  for (let i = 0; i < shown.length; i += 1) {
    const [first, end] = xBounds(set, shown[i]!);
    if (end === first) continue;
    // Series with a shared x have the same rows.
    if (first !== rowsFrom || end !== rowsTo) rows = evenRows(set, first, end, { from, to }, count);
    [rowsFrom, rowsTo] = [first, end];
    const rowsBefore = set.offsets[shown[i]!]! - first;
    for (const row of rows) {
      const projected = project(scale, set.curve[row + rowsBefore]!);
      if (Number.isFinite(projected)) samples[used++] = projected;
    }
  }
  return samples.subarray(0, used);
}

/** The rows at even distances along x, of those in [first, end); along their numbers where x is not in order. */
function evenRows({ x, sorted }: SeriesSet, first: number, end: number, { from, to }: Range, count: number): number[] {
  const rows: number[] = [];
  for (let sample = 0; sample <= count; sample += 1) {
    const at = from + ((to - from) * sample) / count;
    if (!sorted) rows.push(first + Math.round(((end - 1 - first) * sample) / count));
    else if (at >= x[first]! && at <= x[end - 1]!) rows.push(nearestRow(x, at, first, end));
  }
  return rows;
}

/** A difference below this share of the values is a rounding error, as smoothing makes of a constant. */
const ROUNDING = 1e-12;
const isFlat = (from: number, to: number): boolean => to - from <= ROUNDING * Math.max(Math.abs(from), Math.abs(to));

const AIR = 0.05;

function padded(scale: Scale, range: Range): Range {
  if (isFlat(range.from, range.to)) return drawable(scale, { from: range.from, to: range.from });
  const { from, to } = drawable(scale, range);
  const low = project(scale, from);
  const high = project(scale, to);
  const air = (high - low) * AIR;
  return { from: invert(scale, low - air), to: invert(scale, high + air) };
}
