/** From the server's columns to the series of a chart: many lines in a few long columns, cut by offsets. */

import type { Axis, SeriesBlock } from "../data/api";

/** What runs along x: steps, seconds since a run began, the clock, or the values of another metric. */
export type XUnit = Axis | "metric";

export interface SeriesInfo {
  /** Colour, visibility and focus go by it: the run, as a rule. */
  readonly key: string;
  readonly name: string;
  /** 0 for the first attempt of a run that was restarted, then 1, 2, … */
  readonly attempt: number;
  /** Points that a restart replaced: they do not count, and are drawn dimmed. */
  readonly replaced?: boolean;
  /** How many logged points its rows stand for. */
  readonly points: number;
  /** Some row stands for several points, so the envelope says more than the curve. */
  readonly folded: boolean;
}

/** Rows of series i lie in [offsets[i], offsets[i + 1]) of every column. */
export interface SeriesSet {
  readonly unit: XUnit;
  readonly series: readonly SeriesInfo[];
  readonly offsets: Uint32Array;
  readonly x: Float64Array;
  /** x never goes back inside a series. */
  readonly sorted: boolean;
  /** What the line follows: the smoothed value where smoothing is on, else the mean of the points behind each row. */
  readonly curve: Float64Array;
  /** The unsmoothed line behind it; the same column as `curve` when nothing is smoothed. */
  readonly raw: Float64Array;
  /** The unsmoothed values were not asked for: so many lines would take twice the bytes. `raw` is then the curve. */
  readonly rawLeftOut?: boolean;
  /** The envelope, or a band around a mean; absent when there is none. */
  readonly low: Float64Array | null;
  readonly high: Float64Array | null;
  readonly fill: "envelope" | "band";
  /** Rows in which a value was NaN or infinite. */
  readonly marks: Uint32Array;
  readonly step: Float64Array | null;
  readonly wall: Float64Array | null;
  /** Wall time at which each series began, for relative times. */
  readonly began: Float64Array;
}

export interface SetOptions {
  readonly axis: Axis;
  /** A series begins where its rows begin, unless a window into it is shown; then its owner knows. */
  readonly beganOf?: (run: string) => number | undefined;
}

export function seriesOf(block: SeriesBlock, { axis, beganOf }: SetOptions): SeriesSet {
  const { columns } = block;
  const doubles = (name: string): Float64Array | null => asDoubles(columns[name]);
  const { offsets, owners } = splitByAttempt(block);
  const wall = doubles("wall_last");
  const step = doubles("step_last");
  const ends = columns.offsets!;
  const began = Float64Array.from(
    owners,
    (owner) =>
      beganOf?.(block.runs[owner]!) ??
      columns.began?.[owner] ??
      (wall ? firstOf(wall, ends[owner]!, ends[owner + 1]!) : 0),
  );
  const [mean, smoothed] = [doubles("mean"), doubles("smoothed")];
  const raw = mean ?? smoothed ?? new Float64Array(0);
  const counts = columns.count;
  const series = owners.map((owner, index): SeriesInfo => ({
    key: block.runs[owner]!,
    name: block.runs[owner]!,
    ...attemptAt(columns, offsets[index]!, offsets[index + 1]!),
    ...countPoints(counts, offsets[index]!, offsets[index + 1]!),
  }));
  const folded = series.some((info) => info.folded);
  return {
    unit: axis,
    series,
    offsets,
    sorted: true,
    raw,
    step,
    wall,
    began,
    fill: "envelope",
    x:
      (axis === "step" ? step : axis === "wall" ? wall : wall && sinceBegan(wall, offsets, began)) ??
      new Float64Array(raw.length),
    curve: smoothed ?? raw,
    rawLeftOut: mean === null && smoothed !== null,
    low: folded ? doubles("min") : null,
    high: folded ? doubles("max") : null,
    marks: marksOf(raw.length, [columns.nan, columns.posinf, columns.neginf]),
  };
}

/** The earliest of a run's times: what was replaced comes before what counts, though it began later. */
export function firstOf(wall: ArrayLike<number>, from: number, to: number): number {
  let first = Infinity;
  for (let row = from; row < to; row += 1) if (wall[row]! < first) first = wall[row]!;
  return first < Infinity ? first : 0;
}

function asDoubles(column: ArrayLike<number> | undefined): Float64Array | null {
  if (!column) return null;
  return column instanceof Float64Array ? column : new Float64Array(column);
}

/** Runs become series; a run whose attempts are told apart becomes one for each, and what was replaced is apart, too. */
function splitByAttempt({ runs, columns }: SeriesBlock): { offsets: Uint32Array; owners: number[] } {
  const ends = columns.offsets!;
  const { attempt, replaced } = columns;
  const starts: number[] = [];
  const owners: number[] = [];
  for (let run = 0; run < runs.length; run += 1) {
    const to = ends[run + 1]!;
    let row = ends[run]!;
    do {
      starts.push(row);
      owners.push(run);
      const from = row;
      row = attempt ? row + 1 : to;
      while (row < to && attempt![row] === attempt![from] && replaced?.[row] === replaced?.[from]) row += 1;
    } while (row < to);
  }
  return { offsets: Uint32Array.from([...starts, ends[runs.length] ?? 0]), owners };
}

function attemptAt(
  { attempt, replaced }: SeriesBlock["columns"],
  row: number,
  end: number,
): Pick<SeriesInfo, "attempt" | "replaced"> {
  const isEmpty = row >= end;
  return { attempt: (!isEmpty && attempt?.[row]) || 0, ...(!isEmpty && replaced?.[row] ? { replaced: true } : {}) };
}

/** A place where a run was started again: what is dimmed behind it was replaced. */
export interface Restart {
  readonly x: number;
  /** Of the line that was replaced. */
  readonly series: number;
}

export function restartsOf({ series, offsets, x }: SeriesSet, shown: readonly number[]): Restart[] {
  return shown.flatMap((index) =>
    series[index]!.replaced && offsets[index]! < offsets[index + 1]! ? [{ x: x[offsets[index]!]!, series: index }] : [],
  );
}

/** The attempt, from 0, that wrote a row; of a line over several attempts the replaced lines beside it tell. Null: there was one only. */
export function attemptOf({ series, offsets, x }: SeriesSet, index: number, row: number): number | null {
  const { key, attempt, replaced } = series[index]!;
  const others = series.flatMap((info, other) => (info.key === key && info.replaced ? [other] : []));
  if (others.length === 0) return attempt > 0 ? attempt : null;
  if (replaced) return attempt;
  return others.reduce(
    (found, other) => (x[row]! >= x[offsets[other]!]! ? Math.max(found, series[other]!.attempt + 1) : found),
    0,
  );
}

function countPoints(
  counts: ArrayLike<number> | undefined,
  from: number,
  to: number,
): { points: number; folded: boolean } {
  if (!counts) return { points: to - from, folded: false };
  let points = 0;
  for (let row = from; row < to; row += 1) points += counts[row]!;
  return { points, folded: points > to - from };
}

function sinceBegan(wall: Float64Array, offsets: Uint32Array, began: Float64Array): Float64Array {
  const out = new Float64Array(wall.length);
  for (let index = 0; index < began.length; index += 1) {
    for (let row = offsets[index]!; row < offsets[index + 1]!; row += 1) out[row] = wall[row]! - began[index]!;
  }
  return out;
}

function marksOf(rows: number, columns: readonly (ArrayLike<number> | undefined)[]): Uint32Array {
  const present = columns.filter((column) => column !== undefined);
  if (present.length === 0) return new Uint32Array(0);
  const marks: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (const column of present) {
      if (column[row]! === 0) continue;
      marks.push(row);
      break;
    }
  }
  return Uint32Array.from(marks);
}

/** Series of several blocks in one chart: several tags, say. */
export function joinSets(sets: readonly SeriesSet[]): SeriesSet {
  const [first] = sets;
  if (!first || sets.length === 1) return first ?? EMPTY_SET;
  const rowsBefore = sets.map((_, index) => sets.slice(0, index).reduce((sum, set) => sum + set.x.length, 0));
  const total = rowsBefore.at(-1)! + sets.at(-1)!.x.length;
  const join = (pick: (set: SeriesSet) => Float64Array | null): Float64Array => {
    const out = new Float64Array(total).fill(NaN);
    sets.forEach((set, index) => out.set(pick(set) ?? [], rowsBefore[index]));
    return out;
  };
  const fillable = sets.some((set) => set.low !== null);
  const raw = join((set) => set.raw);
  return {
    unit: first.unit,
    fill: first.fill,
    raw,
    rawLeftOut: sets.some((set) => set.rawLeftOut),
    series: sets.flatMap((set) => set.series),
    offsets: Uint32Array.from([
      ...sets.flatMap((set, index) => [...set.offsets.subarray(0, -1)].map((row) => row + rowsBefore[index]!)),
      total,
    ]),
    x: join((set) => set.x),
    step: join((set) => set.step),
    wall: join((set) => set.wall),
    sorted: sets.every((set) => set.sorted),
    curve: sets.every((set) => set.curve === set.raw) ? raw : join((set) => set.curve),
    low: fillable ? join((set) => set.low ?? set.raw) : null,
    high: fillable ? join((set) => set.high ?? set.raw) : null,
    marks: Uint32Array.from(sets.flatMap((set, index) => [...set.marks].map((row) => row + rowsBefore[index]!))),
    began: Float64Array.from(sets.flatMap((set) => [...set.began])),
  };
}

export const EMPTY_SET: SeriesSet = {
  unit: "step",
  series: [],
  offsets: Uint32Array.of(0),
  x: new Float64Array(0),
  sorted: true,
  curve: new Float64Array(0),
  raw: new Float64Array(0),
  low: null,
  high: null,
  fill: "envelope",
  marks: new Uint32Array(0),
  step: null,
  wall: null,
  began: new Float64Array(0),
};

/** The x column that all series share, each from its start: runs of a sweep log the same steps. Null when they do not. */
export function sharedX({ x, offsets }: SeriesSet): Float64Array | null {
  const count = offsets.length - 1;
  let longest = 0;
  for (let index = 1; index < count; index += 1) {
    if (offsets[index + 1]! - offsets[index]! > offsets[longest + 1]! - offsets[longest]!) longest = index;
  }
  if (count < 2) return null;
  const shared = x.subarray(offsets[longest], offsets[longest + 1]);
  for (let index = 0; index < count; index += 1) {
    const from = offsets[index]!;
    for (let row = offsets[index + 1]! - 1; row >= from; row -= 1) if (x[row] !== shared[row - from]) return null;
  }
  return shared;
}
