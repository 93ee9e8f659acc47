/** What happened between two points of the x axis, run by run. */

import type { SeriesBlock } from "$public/core";

/** A window read at a width of one pixel is these columns: the server downsamples all its points to one row. */
export const STATISTICS_COLUMNS = [
  "step",
  "step_last",
  "wall",
  "wall_last",
  "first",
  "last",
  "min",
  "max",
  "mean",
  "count",
  "nan",
  "posinf",
  "neginf",
];

export interface Statistics {
  readonly run: string;
  readonly points: number;
  readonly startStep: number;
  readonly endStep: number;
  readonly seconds: number;
  readonly start: number;
  readonly end: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly change: number;
  /** Change as a share of where it started; NaN when that is zero. */
  readonly changeShare: number;
}

export function statisticsOf({ runs, columns }: SeriesBlock): Statistics[] {
  const out: Statistics[] = [];
  runs.forEach((run, index) => {
    const first = columns.offsets![index]!;
    const end = columns.offsets![index + 1]!;
    if (end > first) out.push(statisticsOfRows(run, columns, first, end));
  });
  return out;
}

function statisticsOfRows(run: string, columns: SeriesBlock["columns"], first: number, end: number): Statistics {
  const at = (name: string, row: number): number => columns[name]![row]!;
  let points = 0;
  let finite = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let row = first; row < end; row += 1) {
    const numbers = at("count", row) - at("nan", row) - at("posinf", row) - at("neginf", row);
    points += at("count", row);
    finite += numbers;
    if (numbers > 0) {
      sum += at("mean", row) * numbers;
      min = Math.min(min, at("min", row));
      max = Math.max(max, at("max", row));
    }
  }
  const start = at("first", first);
  const last = at("last", end - 1);
  return {
    run,
    points,
    startStep: at("step", first),
    endStep: at("step_last", end - 1),
    seconds: at("wall_last", end - 1) - at("wall", first),
    start,
    end: last,
    min: finite > 0 ? min : NaN,
    max: finite > 0 ? max : NaN,
    mean: finite > 0 ? sum / finite : NaN,
    change: last - start,
    changeShare: start === 0 ? NaN : (last - start) / Math.abs(start),
  };
}
