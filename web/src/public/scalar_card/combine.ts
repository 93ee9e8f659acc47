/** Several tags in one chart, and any metric as the x axis. */

import { mapLogged, withRowX, type SeriesSet } from "../../chart/series";
import type { NumberColumn } from "../../data/columns";

/** A line of a chart with several tags is told apart by run and tag; a run's own key stays its name where there is one tag. */
export const lineKey = (tag: string, run: string): string => `${run}\n${tag}`;
export const runOfKey = (key: string): string => key.split("\n", 1)[0]!;
export const tagOfKey = (key: string): string | undefined => key.split("\n")[1];

export function named(set: SeriesSet, tag: string, labelOf: (run: string) => string): SeriesSet {
  return {
    ...set,
    series: set.series.map((info) => ({ ...info, key: lineKey(tag, info.key), name: `${labelOf(info.key)} · ${tag}` })),
  };
}

/** y over another metric: each row of y takes the value that x had at that step, or last had before it. */
export function overMetric(yMetric: SeriesSet, xMetric: SeriesSet): SeriesSet {
  const [y, x] = [withRowX(yMetric), withRowX(xMetric)];
  const byKey = new Map(x.series.map((info, index) => [`${info.key}\n${info.attempt}`, index]));
  const values = new Float64Array(y.x.length).fill(NaN);
  y.series.forEach((info, index) => {
    const other = byKey.get(`${info.key}\n${info.attempt}`);
    if (other === undefined) return;
    let row = x.offsets[other]! - 1;
    const end = x.offsets[other + 1]!;
    for (let at = y.offsets[index]!; at < y.offsets[index + 1]!; at += 1) {
      while (row + 1 < end && x.x[row + 1]! <= y.x[at]!) row += 1;
      if (row >= x.offsets[other]!) values[at] = x.raw[row]!;
    }
  });
  return withoutGaps({ ...y, unit: "metric", x: values, sorted: false });
}

/** Rows without a place on the x axis go; series that lose all of theirs stay, empty. */
function withoutGaps(set: SeriesSet): SeriesSet {
  const kept: number[] = [];
  const offsets = new Uint32Array(set.offsets.length);
  set.series.forEach((_, index) => {
    for (let row = set.offsets[index]!; row < set.offsets[index + 1]!; row += 1)
      if (Number.isFinite(set.x[row]!)) kept.push(row);
    offsets[index + 1] = kept.length;
  });
  if (kept.length === set.x.length) return set;
  const pick = (column: NumberColumn): Float64Array => Float64Array.from(kept, (row) => column[row]!);
  const some = (column: NumberColumn | null): Float64Array | null => (column ? pick(column) : null);
  const raw = pick(set.raw);
  const marked = new Set(set.marks);
  return {
    ...set,
    offsets,
    x: pick(set.x),
    raw,
    curve: set.curve === set.raw ? raw : pick(set.curve),
    low: some(set.low),
    high: some(set.high),
    step: some(set.step),
    wall: some(set.wall),
    ...(set.logged ? { logged: mapLogged((name) => some(set.logged![name])) } : {}),
    marks: Uint32Array.from(kept.flatMap((row, at) => (marked.has(row) ? [at] : []))),
  };
}
