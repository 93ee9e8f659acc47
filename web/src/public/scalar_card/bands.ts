/** Runs that belong together as one line: their mean on a common grid, and how far they spread around it. */

import { compilePattern } from "../../base/patterns.svelte";
import { byName } from "../../base/tags";
import { withRowX, type SeriesSet } from "../../chart/series";
import type { DashboardContext, RunGroups, SharedSettings } from "../plugin";

export type Band = SharedSettings["groupBand"];

export const BANDS: readonly { readonly band: Band; readonly label: string; readonly words: string }[] = [
  { band: "deviation", label: "Mean ± standard deviation", words: "mean ± 1σ" },
  { band: "range", label: "Mean, min–max", words: "mean, min–max" },
  { band: "confidence", label: "Mean, 95 % confidence", words: "mean, 95 % confidence" },
];

export interface Grouping {
  readonly groupOf: (run: string) => string;
  readonly error: string;
  /** Its colour's place, where a group has one of its own; else groups are coloured as they come. */
  readonly placeOf?: (group: string) => number;
}

/**
 * The group of a run: "folder" takes what is before the last slash; "regex:…" takes what its first group (or all of it)
 * matches; "columns:…" takes its values in some columns of the runs table. A run that does not match is on its own.
 */
export function grouping(groupBy: string, columns: RunGroups): Grouping | null {
  if (groupBy.startsWith("columns:") && groupBy !== "columns:") {
    return {
      groupOf: (run) => columns.groupOf(run) ?? run,
      error: columns.error,
      placeOf: (group) => columns.placeOf(group),
    };
  }
  if (groupBy === "folder")
    return { groupOf: (run) => run.slice(0, Math.max(0, run.lastIndexOf("/"))) || run, error: "" };
  if (!groupBy.startsWith("regex:") || groupBy === "regex:") return null;
  const pattern = compilePattern(groupBy.slice("regex:".length));
  return {
    get error() {
      return pattern.error;
    },
    groupOf: (run) => {
      const found = pattern.find(run);
      return found
        ? (found.length > 1
            ? found
                .slice(1)
                .filter((part) => part !== undefined)
                .join(" ")
            : found[0]) || run
        : run;
    },
  };
}

/** Folders of a run are in its group, apart by curve: a mean of training and validation says nothing. */
export function groupingOf({ settings, runs }: Pick<DashboardContext, "settings" | "runs">): Grouping | null {
  const found = grouping(settings.groupBy, runs.columnGroups);
  if (!found) return null;
  const { groupOf, placeOf } = found;
  return {
    get error() {
      return found.error;
    },
    groupOf: (run) => {
      const curve = runs.curveOf(run);
      const group = groupOf(runs.rowOf(run));
      return curve === "" ? group : `${group} · ${curve}`;
    },
    ...(placeOf ? { placeOf } : {}),
  };
}

/** More places than pixels help nobody. */
const MAX_PLACES = 1000;

export function bandSet(
  set: SeriesSet,
  shown: readonly number[],
  groupOf: (run: string) => string,
  band: Band,
): SeriesSet {
  const rows = withRowX(set);
  const members = new Map<string, number[]>();
  for (const index of shown) {
    const group = groupOf(set.series[index]!.key);
    const list = members.get(group);
    if (list) list.push(index);
    else members.set(group, [index]);
  }
  const groups = [...members].sort(([a], [b]) => byName(a, b)).map(([name, list]) => spread(rows, name, list, band));
  const total = groups.reduce((sum, group) => sum + group.x.length, 0);
  const join = (pick: (group: Spread) => Float64Array): Float64Array => {
    const out = new Float64Array(total);
    let at = 0;
    for (const group of groups) {
      out.set(pick(group), at);
      at += group.x.length;
    }
    return out;
  };
  const offsets = new Uint32Array(groups.length + 1);
  groups.forEach((group, index) => (offsets[index + 1] = offsets[index]! + group.x.length));
  const curve = join((group) => group.mean);
  const x = join((group) => group.x);
  return {
    unit: set.unit,
    offsets,
    x,
    sorted: true,
    curve,
    raw: curve,
    low: join((group) => group.low),
    high: join((group) => group.high),
    fill: "band",
    group: {
      members: join((group) => group.counts),
      band,
      isSmoothed: set.curve !== set.raw || set.rawLeftOut === true,
    },
    marks: new Uint32Array(0),
    step: set.unit === "step" ? x : null,
    wall: set.unit === "wall" ? x : null,
    began: new Float64Array(groups.length),
    series: groups.map(({ name, members: list, points }) => ({
      key: name,
      name: `${name} (${list.length})`,
      attempt: 0,
      points,
      isDownsampled: false,
    })),
  };
}

interface Spread {
  readonly name: string;
  readonly members: readonly number[];
  readonly points: number;
  readonly x: Float64Array;
  readonly mean: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly counts: Float64Array;
}

function spread(set: SeriesSet, name: string, members: readonly number[], band: Band): Spread {
  const x = commonGrid(set, members);
  const mean = new Float64Array(x.length);
  const low = new Float64Array(x.length);
  const high = new Float64Array(x.length);
  const counts = new Float64Array(x.length);
  const cursors = members.map((index) => set.offsets[index]!);
  const values = new Float64Array(members.length);
  for (let place = 0; place < x.length; place += 1) {
    let used = 0;
    members.forEach((index, member) => {
      const value = valueAt(set, index, x[place]!, cursors, member);
      if (Number.isFinite(value)) values[used++] = value;
    });
    const around = spreadOf(values.subarray(0, used), band);
    mean[place] = around.mean;
    low[place] = around.low;
    high[place] = around.high;
    counts[place] = used;
  }
  return {
    name,
    members,
    points: members.reduce((sum, index) => sum + set.series[index]!.points, 0),
    x,
    mean,
    low,
    high,
    counts,
  };
}

/** Where some member has a row; thinned when the members' rows hardly ever coincide. */
function commonGrid(set: SeriesSet, members: readonly number[]): Float64Array {
  const places = new Set<number>();
  for (const index of members)
    for (let row = set.offsets[index]!; row < set.offsets[index + 1]!; row += 1) places.add(set.x[row]!);
  const sorted = Float64Array.from(places).sort();
  if (sorted.length <= MAX_PLACES) return sorted;
  const last = sorted.length - 1;
  return Float64Array.from(
    { length: MAX_PLACES },
    (_, index) => sorted[Math.round((index * last) / (MAX_PLACES - 1))]!,
  );
}

/** Between its rows a run is a straight line; before and after them it is not there. */
function valueAt(
  { x, curve, offsets }: SeriesSet,
  index: number,
  at: number,
  cursors: number[],
  member: number,
): number {
  const end = offsets[index + 1]!;
  let row = cursors[member]!;
  while (row < end && x[row]! < at) row += 1;
  cursors[member] = row;
  if (row >= end) return NaN;
  if (x[row] === at) return curve[row]!;
  if (row === offsets[index]) return NaN;
  const share = (at - x[row - 1]!) / (x[row]! - x[row - 1]!);
  return curve[row - 1]! + (curve[row]! - curve[row - 1]!) * share;
}

/** 97.5 % quantiles of Student's t for 1, 2, 3 … degrees of freedom; beyond that the normal one is within 1 %. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

export function spreadOf(values: Float64Array, band: Band): { mean: number; low: number; high: number } {
  const count = values.length;
  if (count === 0) return { mean: NaN, low: NaN, high: NaN };
  let sum = 0;
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    sum += value;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const mean = sum / count;
  if (band === "range" || count === 1) return { mean, low, high };
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / (count - 1));
  const reach = band === "deviation" ? deviation : ((STUDENT[count - 2] ?? 1.96) * deviation) / Math.sqrt(count);
  return { mean, low: mean - reach, high: mean + reach };
}
