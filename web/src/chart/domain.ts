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

/** A y range, and how far the values inside the x range reach. */
export interface YFit {
  readonly range: Range;
  readonly whole: Range;
}

/** The y range of what is drawn inside the x range; null when nothing there is finite. */
export const domainY = (set: SeriesSet, shown: Shown, options: YOptions): Range | null =>
  fitY(set, shown, options)?.range ?? null;

export function fitY(set: SeriesSet, shown: Shown, options: YOptions): YFit | null {
  const { short, long } = byLength(set, shown, options.x);
  const points = extentY(set, short, options, pointColumns(set, options));
  const lines = extentY(set, long, options, drawnColumns(set, options));
  const whole = union(points, lines);
  if (!whole) return null;
  if (!options.clipOutliers) return { range: padded(options.scale, whole), whole };
  const bulk = lines && withoutOutliers(set, withoutFarLines(set, long, options), options, lines);
  const near =
    bulk && points && extentY(set, short, options, pointColumns(set, options), farAround(options.scale, bulk));
  return { range: padded(options.scale, bulk ? union(bulk, near)! : whole), whole };
}

/** Of a series with fewer points in view than this, each one counts: they are results, such as one for each epoch. */
const SHORT_POINTS = 50;
/** Of so many lines that none can be followed, none is told apart by its points. */
const MAX_TOLD_APART = 30;

function byLength(set: SeriesSet, shown: Shown, x: Range): { readonly short: number[]; readonly long: number[] } {
  const short: number[] = [];
  const long: number[] = [];
  for (let i = 0; i < shown.length; i += 1)
    (shown.length <= MAX_TOLD_APART && isShort(set, shown[i]!, x) ? short : long).push(shown[i]!);
  return { short, long };
}

function isShort(set: SeriesSet, index: number, x: Range): boolean {
  const { points, isDownsampled } = set.series[index]!;
  if (points < SHORT_POINTS) return true;
  if (isDownsampled) return false;
  const [first, end] = rowsWithin(set, index, x);
  return end - first < SHORT_POINTS;
}

function columnsOf({ curve, raw, low, high }: SeriesSet): NumberColumn[] {
  return [...new Set([curve, raw, low, high])].filter((column) => column !== null);
}

/** Of a short series: its points count, drawn or not. */
const pointColumns = (set: SeriesSet, { curvesOnly }: YOptions): NumberColumn[] =>
  curvesOnly ? [set.curve, set.raw] : columnsOf(set);

const drawnColumns = (set: SeriesSet, { curvesOnly }: YOptions): NumberColumn[] =>
  curvesOnly ? [set.curve] : columnsOf(set);

const union = (a: Range | null, b: Range | null): Range | null =>
  a && b ? { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) } : (a ?? b);

/** Beside longer series, points that are this many times their height away would press those flat. */
const FAR = 10;

function farAround(scale: Scale, bulk: Range): Range {
  const [low, high] = [project(scale, bulk.from), project(scale, bulk.to)];
  if (isFlat(low, high)) return EVERY_NUMBER;
  const far = (high - low) * FAR;
  return { from: invert(scale, low - far), to: invert(scale, high + far) };
}

const EVERY_NUMBER: Range = { from: -Infinity, to: Infinity };

function extentY(
  set: SeriesSet,
  shown: Shown,
  { x, scale }: YOptions,
  columns: readonly NumberColumn[],
  bounds: Range = EVERY_NUMBER,
): Range | null {
  const floor = Math.max(bounds.from, scale.kind === "log" ? Number.MIN_VALUE : -Number.MAX_VALUE);
  const ceiling = Math.min(bounds.to, Number.MAX_VALUE);
  let from = Infinity;
  let to = -Infinity;
  for (let i = 0; i < shown.length; i += 1) {
    const [first, end] = rowsWithin(set, shown[i]!, x);
    for (const column of columns) {
      for (let row = first; row < end; row += 1) {
        const value = column[row]!;
        if (value < from && value >= floor && value <= ceiling) from = value;
        if (value > to && value >= floor && value <= ceiling) to = value;
      }
    }
  }
  return from > to ? null : { from, to };
}

/** How many lines have values that a y range leaves out. */
export interface Clipped {
  readonly above: number;
  readonly below: number;
  /** Zero or below, on a log axis. */
  readonly unplaceable: number;
}

export const NOT_CLIPPED: Clipped = { above: 0, below: 0, unplaceable: 0 };

/** Counts by key: what a restart replaced is the same run. */
export function clippedBy(set: SeriesSet, shown: Shown, y: Range, options: YOptions): Clipped {
  const above = new Set<string>();
  const below = new Set<string>();
  const unplaceable = new Set<string>();
  const isLog = options.scale.kind === "log";
  const { short, long } = byLength(set, shown, options.x);
  for (const [group, columns] of [
    [short, pointColumns(set, options)],
    [long, drawnColumns(set, options)],
  ] as const) {
    for (const index of group) {
      const { key } = set.series[index]!;
      const [first, end] = rowsWithin(set, index, options.x);
      const { low, high, isPositive } = reachOf(columns, first, end, isLog);
      if (high > y.to) above.add(key);
      if (low < y.from) below.add(key);
      if (!isPositive) unplaceable.add(key);
    }
  }
  return { above: above.size, below: below.size, unplaceable: unplaceable.size };
}

function reachOf(columns: readonly NumberColumn[], first: number, end: number, isLog: boolean) {
  let low = Infinity;
  let high = -Infinity;
  let isPositive = true;
  for (const column of columns) {
    for (let row = first; row < end; row += 1) {
      const value = column[row]!;
      if (isLog && value <= 0) isPositive = false;
      else if (value >= -Number.MAX_VALUE && value < low) low = value;
      if (value <= Number.MAX_VALUE && value > high) high = value;
    }
  }
  return { low, high, isPositive };
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

/** One line of so many may be left out as a whole: a run that diverged would press the others flat. */
const LINES_PER_FAR = 5;

/** Without lines that reach many times as far as all others do, also from zero: a poor result stays in view. */
function withoutFarLines(set: SeriesSet, shown: readonly number[], options: YOptions): readonly number[] {
  const { x, scale } = options;
  const most = shown.length > MAX_TOLD_APART ? 0 : Math.floor(shown.length / LINES_PER_FAR);
  if (most === 0) return shown;
  const columns = drawnColumns(set, options).slice(-1);
  const bulks = shown.map((index) => bulkOf(evenSamples(set, [index], x, scale, columns)));
  const reaches = bulks.map((bulk) =>
    bulk ? Math.max(Math.abs(invert(scale, bulk.low)), Math.abs(invert(scale, bulk.high))) : 0,
  );
  const order = [...shown.keys()].sort((a, b) => reaches[a]! - reaches[b]!).slice(0, shown.length - most);
  const near = order.flatMap((at) => bulks[at] ?? []);
  const low = Math.min(...near.map((bulk) => bulk.low));
  const high = Math.max(...near.map((bulk) => bulk.high));
  if (near.length === 0 || isFlat(low, high)) return shown;
  const far = (high - low) * FAR;
  const farFromZero = FAR * Math.max(...order.map((at) => reaches[at]!));
  return shown.filter((_, at) => {
    const bulk = bulks[at];
    return !bulk || reaches[at]! <= farFromZero || (bulk.low >= low - far && bulk.high <= high + far);
  });
}

/** Projected. */
interface Bulk {
  readonly low: number;
  readonly high: number;
}

function bulkOf(samples: Float64Array): Bulk | null {
  const low = nthOf(samples, Math.ceil((samples.length - 1) * 0.05));
  const high = nthOf(samples, Math.floor((samples.length - 1) * 0.95));
  return low === undefined || high === undefined ? null : { low, high };
}

/** What is no further away than the bulk is high still belongs: a smooth peak and a steep start are not cut. */
const NEAR = 1;

/** The bulk is what lies between the 5th and the 95th of a hundred values, as TensorBoard has it. */
function withoutOutliers(set: SeriesSet, shown: Shown, options: YOptions, whole: Range): Range {
  const { x, scale } = options;
  const columns = drawnColumns(set, options);
  // An envelope counts by its edges: its middle says nothing about how far it reaches.
  const samples = evenSamples(set, shown, x, scale, columns.length > 2 ? [set.low!, set.high!] : columns.slice(-1));
  const bulk = bulkOf(samples);
  if (!bulk || isFlat(bulk.low, bulk.high)) return whole;
  const { low, high } = bulk;
  const near = (high - low) * NEAR;
  if (project(scale, whole.from) >= low - near && project(scale, whole.to) <= high + near) return whole;
  const bounds = { from: invert(scale, low - near), to: invert(scale, high + near) };
  return extentY(set, shown, options, columns, bounds) ?? whole;
}

/** The value that would be at this index if they were sorted, which takes many times as long. Reorders them. */
const nthOf = (values: Float64Array, index: number): number | undefined => quickselect(values, index)[index];

const SAMPLES = 100;
const SAMPLES_OF_MANY = 20;

/** Values at even distances along x, so that a line counts by the room it takes and not by its number of rows. */
export function evenSamples(
  set: SeriesSet,
  shown: Shown,
  { from, to }: Range,
  scale: Scale,
  columns: readonly NumberColumn[] = [set.curve],
): Float64Array {
  const count = shown.length > 100 ? SAMPLES_OF_MANY : SAMPLES;
  const samples = new Float64Array((count + 1) * shown.length * columns.length);
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
    for (const column of columns) {
      for (const row of rows) {
        const projected = project(scale, column[row + rowsBefore]!);
        if (Number.isFinite(projected)) samples[used++] = projected;
      }
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
