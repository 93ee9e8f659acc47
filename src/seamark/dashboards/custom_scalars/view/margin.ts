/** Margin charts: lines with the band between two other lines around them. */

import { type NumberColumn, type SeriesSet, seriesSets } from "$public/charts";
import type { MarginSeries } from "./model";

export interface MarginSet {
  readonly set: SeriesSet;
  /** As logged at each row of the set, also where lower is above upper. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Runs that log the value of a series but not both of its bounds. */
  readonly bare: readonly { readonly run: string; readonly missing: string }[];
}

/** `allLines` holds every tag of every run; with one tag alone a line's key is its run. */
export function marginSet(
  allLines: SeriesSet,
  margins: readonly MarginSeries[],
  labelOf: (run: string) => string,
): MarginSet {
  const lines = seriesSets.withRowX(allLines);
  const indexes = new Map(
    lines.series.flatMap(({ key, attempt, replaced }, index) =>
      replaced ? [] : [[`${key}\n${attempt}`, index] as const],
    ),
  );
  const single = lines.series.every(({ key }) => seriesSets.tagOf(key) === undefined);
  const indexOf = (tag: string, run: string, attempt: number): number | undefined =>
    indexes.get(`${single ? run : seriesSets.keyOf(tag, run)}\n${attempt}`) ??
    indexes.get(`${single ? run : seriesSets.keyOf(tag, run)}\n0`);
  const picked: { readonly from: number; readonly margin: MarginSeries; readonly run: string }[] = [];
  for (const margin of margins) {
    lines.series.forEach(({ key, replaced }, index) => {
      if (replaced) return; // a band is around the points that count
      if (single || seriesSets.tagOf(key) === margin.value)
        picked.push({ from: index, margin, run: seriesSets.runOf(key) });
    });
  }
  const offsets = new Uint32Array(picked.length + 1);
  picked.forEach(
    ({ from }, index) => (offsets[index + 1] = offsets[index]! + lines.offsets[from + 1]! - lines.offsets[from]!),
  );
  const total = offsets.at(-1)!;
  const take = (column: NumberColumn): Float64Array => {
    const out = new Float64Array(total);
    picked.forEach(({ from }, index) =>
      out.set(column.subarray(lines.offsets[from], lines.offsets[from + 1]), offsets[index]),
    );
    return out;
  };
  const x = take(lines.x);
  const raw = take(lines.raw);
  const lower = new Float64Array(total).fill(NaN);
  const upper = new Float64Array(total).fill(NaN);
  const bare: { run: string; missing: string }[] = [];
  picked.forEach(({ from, margin, run }, index) => {
    const { attempt } = lines.series[from]!;
    for (const [tag, column] of [
      [margin.lower, lower],
      [margin.upper, upper],
    ] as const) {
      const bound = tag === "" ? undefined : indexOf(tag, run, attempt);
      if (bound === undefined) {
        if (tag !== "") bare.push({ run, missing: tag });
      } else follow(lines, bound, x, offsets[index]!, offsets[index + 1]!, column);
    }
  });
  const low = new Float64Array(total);
  const high = new Float64Array(total);
  const curve = lines.curve === lines.raw ? raw : take(lines.curve);
  for (let row = 0; row < total; row += 1) {
    const known = Number.isFinite(lower[row]!) && Number.isFinite(upper[row]!);
    low[row] = known ? Math.min(lower[row]!, upper[row]!) : curve[row]!;
    high[row] = known ? Math.max(lower[row]!, upper[row]!) : curve[row]!;
  }
  const marked = new Set(lines.marks);
  const marks = picked.flatMap(({ from }, index) => {
    const rows: number[] = [];
    for (let row = lines.offsets[from]!; row < lines.offsets[from + 1]!; row += 1)
      if (marked.has(row)) rows.push(row - lines.offsets[from]! + offsets[index]!);
    return rows;
  });
  const set: SeriesSet = {
    ...lines,
    offsets,
    x,
    raw,
    curve,
    low,
    high,
    fill: "band",
    marks: Uint32Array.from(marks),
    step: lines.step && take(lines.step),
    wall: lines.wall && take(lines.wall),
    began: Float64Array.from(picked, ({ from }) => lines.began[from]!),
    series: picked.map(({ from, margin, run }) => ({
      ...lines.series[from]!,
      key: seriesSets.keyOf(margin.value, run),
      name: margins.length > 1 ? `${labelOf(run)} · ${margin.value}` : labelOf(run),
    })),
  };
  return { set, lower, upper, bare };
}

/** The bound at each x of the value: as it was logged there, else on the straight line between its neighbours; none beyond its ends. */
function follow(lines: SeriesSet, bound: number, x: Float64Array, begin: number, end: number, out: Float64Array): void {
  const last = lines.offsets[bound + 1]! - 1;
  let at = lines.offsets[bound]!;
  for (let row = begin; row < end; row += 1) {
    while (at < last && lines.x[at + 1]! <= x[row]!) at += 1;
    const here = lines.x[at]!;
    if (at > last || here > x[row]!) continue;
    if (here === x[row]!) out[row] = lines.curve[at]!;
    else if (at < last)
      out[row] =
        lines.curve[at]! + ((lines.curve[at + 1]! - lines.curve[at]!) * (x[row]! - here)) / (lines.x[at + 1]! - here);
  }
}
