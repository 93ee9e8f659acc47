/** What is shown when nobody has chosen: the metric that is probably meant, and the columns that tell trials apart. */

import { metricId, type ColumnInfo } from "$public";

export const MOST_PARAMS = 8;
const MOST_METRICS = 3;
/** Of so many it is looked whether the runs that a filter leaves have them. */
const CANDIDATE_PARAMS = 32;
const CANDIDATE_METRICS = 8;

export type IsBlank = (id: string) => boolean;
const NEVER: IsBlank = () => false;

const MEANT: readonly (readonly [RegExp, number])[] = [
  [/^hparams?\//i, 6], [/^hp_metric$/i, 5], [/(^|[^a-z])(val|valid|validation|eval|test|dev)([^a-z]|$)/i, 4], [/loss|acc|score|reward|return|f1|auc|error/i, 2], [/loss/i, 0.5],
  [/^(system|sys|gpu|cpu|time|perf)[/_]|^(epoch|step|lr|learning_rate)$|\/(lr|learning_rate|epoch)$|^lr-/i, -8],
];

/** The tag that people most likely tune for: written by most runs, and called like something one wants more or less of. */
export function likelyMetrics(columns: readonly ColumnInfo[], runs: number): ColumnInfo[] {
  const weigh = ({ name, runs: having }: ColumnInfo): number =>
    (runs === 0 ? 0 : (10 * having) / runs) + MEANT.reduce((sum, [pattern, weight]) => sum + (pattern.test(name) ? weight : 0), 0);
  return columns.filter(({ source }) => source === "metric").map((column) => ({ column, weight: weigh(column) }))
    .sort((a, b) => b.weight - a.weight || a.column.name.length - b.column.name.length || (a.column.name < b.column.name ? -1 : 1))
    .map(({ column }) => column);
}

/** Does it differ between runs? What only some have does. */
export const varies = (column: ColumnInfo, runs: number): boolean => column.runs < runs || differs(column);

/** Are there several values, where there are any? */
function differs({ values, low, high }: ColumnInfo): boolean {
  if (values) return values.length > 1;
  return low === null || low === undefined || low !== high;
}

const SEED = /(^|[._/-])(seed\d*|random_seed|rng|rng_seed|random_state|replicate|replica|repeat|fold)([._/-]|$)|_seed$|Seed$/;

/** Trials that differ in nothing but this are the same trial, tried again. */
export const isSeed = (name: string): boolean => SEED.test(name);

/** What tells trials apart comes before what some merely have. */
export function paramsToShow(columns: readonly ColumnInfo[], runs: number, isBlank: IsBlank = NEVER): ColumnInfo[] {
  const params = columns.filter(({ source, id }) => source === "param" && !isBlank(id));
  const varying = params.filter((column) => varies(column, runs) && !isSeed(column.name));
  return [...(varying.length > 0 ? varying : params)].sort((a, b) => Number(differs(b)) - Number(differs(a)) || b.runs - a.runs).slice(0, MOST_PARAMS);
}

/** What a filter may leave without a value: asked for with it, so that others take its place. */
export function candidates(columns: readonly ColumnInfo[], runs: number): string[] {
  const params = columns.filter((column) => column.source === "param" && varies(column, runs)).sort((a, b) => Number(differs(b)) - Number(differs(a)) || b.runs - a.runs);
  return [...params.slice(0, CANDIDATE_PARAMS).map(({ id }) => id), ...likelyMetrics(columns, runs).slice(0, CANDIDATE_METRICS).map(({ name }) => metricId(name, "last"))];
}

/** The metric that is meant when nobody chose one, of those that the shown runs have. */
export function likelyMetric(columns: readonly ColumnInfo[], runs: number, isBlank: IsBlank = NEVER): ColumnInfo | undefined {
  const likely = likelyMetrics(columns, runs);
  return likely.find(({ name }) => !isBlank(metricId(name, "last"))) ?? likely[0];
}

/** Parameters, the metric that counts, a few others, the time it took. */
export function usualColumns(columns: readonly ColumnInfo[], runs: number, objective: string | null, isBlank: IsBlank = NEVER): string[] {
  const metrics = likelyMetrics(columns, runs).map(({ name }) => metricId(name, "last")).filter((id) => id !== objective && !isBlank(id));
  const others = metrics.slice(0, MOST_METRICS - 1);
  const time = columns.some(({ id }) => id === "run:duration") ? ["run:duration"] : [];
  return [...paramsToShow(columns, runs, isBlank).map(({ id }) => id), ...(objective ? [objective] : []), ...others, ...time];
}
