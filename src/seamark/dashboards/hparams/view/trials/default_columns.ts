/** What is shown when nobody has chosen: the columns that tell trials apart, and the likeliest metrics. */

import { tagNames } from "$public/core";
import { columnIds, runsTable, type ColumnInfo } from "$public/tables";
import { WITHOUT_RESULT } from "./objective";

export const MAX_PARAMS = 8;
const MAX_METRICS = 3;
/** Of so many it is looked whether the runs that a filter leaves have them. */
const CANDIDATE_PARAMS = 32;
const CANDIDATE_METRICS = 8;

export type IsBlank = (id: string) => boolean;
const NEVER: IsBlank = () => false;

/** Metrics as the server ranks them, the likeliest first; then the others, those that most runs have first. */
export function rankedMetrics(columns: readonly ColumnInfo[], ranked: readonly string[]): ColumnInfo[] {
  const ranks = new Map(ranked.map((tag, rank) => [tag, rank]));
  const rankOf = ({ name }: ColumnInfo): number => ranks.get(name) ?? ranked.length;
  return columns
    .filter(({ source }) => source === "metric")
    .sort((a, b) => rankOf(a) - rankOf(b) || b.runs - a.runs || (a.name < b.name ? -1 : 1));
}

/** What tells trials apart comes before what some merely have. */
export function paramsToShow(columns: readonly ColumnInfo[], runs: number, isBlank: IsBlank = NEVER): ColumnInfo[] {
  const params = columns.filter(({ source, id }) => source === "param" && !isBlank(id));
  const varying = runsTable.settings(params, runs);
  return [...(varying.length > 0 ? varying : params)]
    .sort((a, b) => Number(runsTable.differs(b)) - Number(runsTable.differs(a)) || b.runs - a.runs)
    .slice(0, MAX_PARAMS);
}

/** What a filter may leave without a value: asked for with it, so that others take its place. */
export function candidates(columns: readonly ColumnInfo[], runs: number, ranked: readonly string[]): string[] {
  const params = columns
    .filter((column) => column.source === "param" && runsTable.varies(column, runs))
    .sort((a, b) => Number(runsTable.differs(b)) - Number(runsTable.differs(a)) || b.runs - a.runs);
  return [
    ...params.slice(0, CANDIDATE_PARAMS).map(({ id }) => id),
    ...rankedMetrics(columns, ranked)
      .slice(0, CANDIDATE_METRICS)
      .map(({ name }) => columnIds.metric(name, "last")),
  ];
}

/** Results first: how a trial ended where some have no result, the metric that counts, a few others; then parameters and the time it took. */
export function defaultColumns(
  columns: readonly ColumnInfo[],
  runs: number,
  objective: string | null,
  ranked: readonly string[],
  isBlank: IsBlank = NEVER,
): string[] {
  const metrics = rankedMetrics(columns, ranked)
    .filter(({ name }) => !tagNames.isMachine(name))
    .map(({ name }) => columnIds.metric(name, "last"))
    .filter((id) => id !== objective && !isBlank(id));
  const others = metrics.slice(0, objective ? MAX_METRICS - 1 : MAX_METRICS);
  const status = columns.find(({ id }) => id === "run:status")?.values?.some(({ value }) => WITHOUT_RESULT.has(value))
    ? ["run:status"]
    : [];
  const time = columns.some(({ id }) => id === "run:duration") ? ["run:duration"] : [];
  return [
    ...status,
    ...(objective ? [objective] : []),
    ...others,
    ...paramsToShow(columns, runs, isBlank).map(({ id }) => id),
    ...time,
  ];
}
