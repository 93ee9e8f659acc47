/** From the server's columns to the series of a chart: many lines in a few long columns, cut by offsets. */

import type { Axis, SeriesBlock } from "../data/api";
import { repeatPrefixes, rowColumn, type NumberColumn } from "../data/columns";

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
  readonly isDownsampled: boolean;
}

/** What was logged behind each row, as far as it is known. */
export interface LoggedColumns {
  /** The last value behind a row, the one of its step. */
  readonly last: NumberColumn | null;
  /** The number of points. */
  readonly count: NumberColumn | null;
  readonly nan: NumberColumn | null;
  readonly posinf: NumberColumn | null;
  readonly neginf: NumberColumn | null;
}

/** Of groups: each row is the mean of lines, with a band around it. */
export interface GroupColumns {
  /** How many lines have a value there. */
  readonly members: NumberColumn;
  readonly band: "deviation" | "range" | "confidence";
  /** The lines are smoothed. */
  readonly isSmoothed: boolean;
}

/** Rows of series i lie in [offsets[i], offsets[i + 1]) of every column but a shared x. */
export interface SeriesSet {
  readonly unit: XUnit;
  readonly series: readonly SeriesInfo[];
  readonly offsets: Uint32Array;
  readonly x: NumberColumn;
  /** x, and `step` where it is the same column, is there once: the x of a row is at row − offsets[i]. Use xAt(). */
  readonly sharedX?: boolean;
  /** x never goes back inside a series. */
  readonly sorted: boolean;
  /** What the line follows: the smoothed value where smoothing is on, else the mean of the points behind each row. */
  readonly curve: NumberColumn;
  /** The unsmoothed line behind it; the same column as `curve` when nothing is smoothed. */
  readonly raw: NumberColumn;
  /** The unsmoothed values were not asked for: so many lines would take twice the bytes. `raw` is then the curve. */
  readonly rawLeftOut?: boolean;
  /** Absent where the rows are computed: groups, lines of a view. */
  readonly logged?: LoggedColumns;
  /** The envelope, or a band around a mean; absent when there is none. */
  readonly low: NumberColumn | null;
  readonly high: NumberColumn | null;
  readonly fill: "envelope" | "band";
  readonly group?: GroupColumns;
  /** Rows in which a value was NaN or infinite. */
  readonly marks: Uint32Array;
  readonly step: NumberColumn | null;
  readonly wall: NumberColumn | null;
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
  const column = (name: string): NumberColumn | null => rowColumn(block, name) ?? null;
  const { offsets, owners } = splitByAttempt(block);
  // A series that begins inside a run cannot use a column that begins with the run.
  const isWhole = owners.length === block.runs.length;
  const sharedX = axis === "step" && isWhole && block.shared?.has("step_last") === true;
  const wall = column("wall_last");
  const step = sharedX ? columns.step_last! : column("step_last");
  const ends = columns.offsets!;
  const began = Float64Array.from(
    owners,
    (owner) =>
      beganOf?.(block.runs[owner]!) ??
      columns.began?.[owner] ??
      (wall ? firstOf(wall, ends[owner]!, ends[owner + 1]!) : 0),
  );
  const [mean, smoothed] = [column("mean"), column("smoothed")];
  const raw = mean ?? smoothed ?? new Float64Array(0);
  const series = infosOf(block, offsets, owners);
  const nonFinite = { nan: column("nan"), posinf: column("posinf"), neginf: column("neginf") };
  const isDownsampled = series.some((info) => info.isDownsampled);
  return {
    unit: axis,
    series,
    offsets,
    sorted: true,
    raw,
    step,
    wall,
    began,
    sharedX,
    fill: "envelope",
    x:
      (axis === "step" ? step : axis === "wall" ? wall : wall && sinceBegan(wall, offsets, began)) ??
      new Float64Array(raw.length),
    curve: smoothed ?? raw,
    rawLeftOut: mean === null && smoothed !== null,
    low: isDownsampled ? column("min") : null,
    high: isDownsampled ? column("max") : null,
    ...(mean ? { logged: loggedOf(column, nonFinite) } : {}),
    marks: marksOf(raw.length, Object.values(nonFinite)),
  };
}

/** The count of a thousand runs is sent once: it is repeated for each run when somebody points at one, not before. */
function loggedOf(
  column: (name: string) => NumberColumn | null,
  nonFinite: Pick<LoggedColumns, "nan" | "posinf" | "neginf">,
): LoggedColumns {
  let count: NumberColumn | null | undefined;
  return {
    ...nonFinite,
    last: column("last"),
    get count() {
      return (count ??= column("count"));
    },
  };
}

/** The x of a row of a series. */
export const xAt = ({ x, offsets, sharedX }: SeriesSet, index: number, row: number): number =>
  x[sharedX ? row - offsets[index]! : row]!;

/** Where the x of a series is in the column: its first row, and behind its last. */
export function xBounds({ offsets, sharedX }: SeriesSet, index: number): [from: number, to: number] {
  const [from, to] = [offsets[index]!, offsets[index + 1]!];
  return sharedX ? [0, to - from] : [from, to];
}

/** The same set with an x for every row, for code that goes through all of them. */
export function withRowX(set: SeriesSet): SeriesSet {
  if (!set.sharedX) return set;
  const x = repeatPrefixes(set.x, set.offsets);
  return { ...set, x, step: set.step === set.x ? x : set.step, sharedX: false };
}

function infosOf(block: SeriesBlock, offsets: Uint32Array, owners: readonly number[]): SeriesInfo[] {
  const [attempt, replaced] = [rowColumn(block, "attempt"), rowColumn(block, "replaced")];
  const { count } = block.columns;
  const isShared = block.shared?.has("count") === true;
  const firstRows = block.columns.offsets!;
  const countRows = countPoints(count);
  return owners.map((owner, index): SeriesInfo => {
    const [from, to] = [offsets[index]!, offsets[index + 1]!];
    const before = isShared ? firstRows[owner]! : 0;
    return {
      key: block.runs[owner]!,
      name: block.runs[owner]!,
      attempt: (from < to && attempt?.[from]) || 0,
      ...(from < to && replaced?.[from] ? { replaced: true } : {}),
      ...countRows(from - before, to - before),
    };
  });
}

/** The earliest of a run's times: what was replaced comes before what counts, though it began later. */
function firstOf(wall: ArrayLike<number>, from: number, to: number): number {
  let first = Infinity;
  for (let row = from; row < to; row += 1) if (wall[row]! < first) first = wall[row]!;
  return first < Infinity ? first : 0;
}

/** Runs become series; a run whose attempts are told apart becomes one for each, and what was replaced is apart, too. */
function splitByAttempt(block: SeriesBlock): { offsets: Uint32Array; owners: number[] } {
  const { runs } = block;
  const ends = block.columns.offsets!;
  const [attempt, replaced] = [rowColumn(block, "attempt"), rowColumn(block, "replaced")];
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

/** A place where a run was started again: what is dimmed behind it was replaced. */
export interface Restart {
  readonly x: number;
  /** Of the line that was replaced. */
  readonly series: number;
}

export function restartsOf(set: SeriesSet, shown: readonly number[]): Restart[] {
  const { series, offsets } = set;
  return shown.flatMap((index) =>
    series[index]!.replaced && offsets[index]! < offsets[index + 1]!
      ? [{ x: xAt(set, index, offsets[index]!), series: index }]
      : [],
  );
}

/** The attempt, from 0, that wrote a row; of a line over several attempts the replaced lines beside it tell. Null: there was one only. */
export function attemptOf(set: SeriesSet, index: number, row: number): number | null {
  const { series, offsets } = set;
  const { key, attempt, replaced } = series[index]!;
  const others = series.flatMap((info, other) => (info.key === key && info.replaced ? [other] : []));
  if (others.length === 0) return attempt > 0 ? attempt : null;
  if (replaced) return attempt;
  const x = xAt(set, index, row);
  return others.reduce(
    (found, other) => (x >= xAt(set, other, offsets[other]!) ? Math.max(found, series[other]!.attempt + 1) : found),
    0,
  );
}

/** Counts the points behind rows. Runs that share the column mostly have the same rows, which are counted once. */
function countPoints(counts: ArrayLike<number> | undefined) {
  let last = { from: 0, to: 0, points: 0 };
  return (from: number, to: number): { points: number; isDownsampled: boolean } => {
    if (!counts) return { points: to - from, isDownsampled: false };
    if (last.from !== from || last.to !== to) {
      let points = 0;
      for (let row = from; row < to; row += 1) points += counts[row]!;
      last = { from, to, points };
    }
    return { points: last.points, isDownsampled: last.points > to - from };
  };
}

function sinceBegan(wall: NumberColumn, offsets: Uint32Array, began: Float64Array): Float64Array {
  const out = new Float64Array(wall.length);
  for (let index = 0; index < began.length; index += 1) {
    for (let row = offsets[index]!; row < offsets[index + 1]!; row += 1) out[row] = wall[row]! - began[index]!;
  }
  return out;
}

function marksOf(rows: number, columns: readonly (NumberColumn | null)[]): Uint32Array {
  const present = columns.filter((column) => column !== null);
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

export const mapLogged = (columnOf: (name: keyof LoggedColumns) => NumberColumn | null): LoggedColumns => ({
  last: columnOf("last"),
  count: columnOf("count"),
  nan: columnOf("nan"),
  posinf: columnOf("posinf"),
  neginf: columnOf("neginf"),
});

/** Series of several blocks in one chart: several tags, say. */
export function joinSets(parts: readonly SeriesSet[]): SeriesSet {
  if (parts.length < 2) return parts[0] ?? EMPTY_SET;
  const sets = parts.map(withRowX);
  const first = sets[0]!;
  const rowsBefore = sets.map((_, index) => sets.slice(0, index).reduce((sum, set) => sum + set.x.length, 0));
  const total = rowsBefore.at(-1)! + sets.at(-1)!.x.length;
  const join = (pick: (set: SeriesSet) => NumberColumn | null): Float64Array => {
    const out = new Float64Array(total).fill(NaN);
    sets.forEach((set, index) => out.set(pick(set) ?? [], rowsBefore[index]));
    return out;
  };
  const joinLogged = (name: keyof LoggedColumns): NumberColumn | null => {
    if (name === "last" && sets.some(({ rawLeftOut }) => rawLeftOut)) return null;
    if (!sets.some(({ logged }) => logged?.[name])) return null;
    // The values of a computed line are all there is of it.
    return join(({ logged, raw }) => logged?.[name] ?? (name === "last" ? raw : null));
  };
  const fillable = sets.some((set) => set.low !== null);
  const raw = join((set) => set.raw);
  return {
    unit: first.unit,
    fill: (sets.find(({ low }) => low !== null) ?? first).fill,
    raw,
    rawLeftOut: sets.some((set) => set.rawLeftOut),
    logged: mapLogged(joinLogged),
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
