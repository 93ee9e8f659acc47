/** What is shown when nobody has chosen: the metric that is probably meant, and the columns that tell trials apart. */

import { metricId, type ColumnInfo } from "$public";

export const MOST_PARAMS = 8;
const MOST_METRICS = 3;

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
export function varies({ runs: having, values, low, high }: ColumnInfo, runs: number): boolean {
  if (having < runs) return true;
  if (values) return values.length > 1;
  return low === null || low === undefined || low !== high;
}

const SEED = /(^|[._/-])(seed\d*|random_seed|rng|rng_seed|random_state|replicate|replica|repeat|fold)([._/-]|$)|_seed$|Seed$/;

/** Trials that differ in nothing but this are the same trial, tried again. */
export const isSeed = (name: string): boolean => SEED.test(name);

export function paramsToShow(columns: readonly ColumnInfo[], runs: number): ColumnInfo[] {
  const params = columns.filter(({ source }) => source === "param");
  const varying = params.filter((column) => varies(column, runs) && !isSeed(column.name));
  return [...(varying.length > 0 ? varying : params)].sort((a, b) => b.runs - a.runs).slice(0, MOST_PARAMS);
}

/** Parameters, the metric that counts, a few others, the time it took. */
export function usualColumns(columns: readonly ColumnInfo[], runs: number, objective: string | null): string[] {
  const metrics = likelyMetrics(columns, runs).map(({ name }) => metricId(name, "last")).filter((id) => id !== objective);
  const others = metrics.slice(0, MOST_METRICS - 1);
  const time = columns.some(({ id }) => id === "run:duration") ? ["run:duration"] : [];
  return [...paramsToShow(columns, runs).map(({ id }) => id), ...(objective ? [objective] : []), ...others, ...time];
}
