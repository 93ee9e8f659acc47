/** Columns by their ids: `run:name`, `param:optim.lr`, `metric:val/loss:min`, `summary:best`. */

import type { ColumnInfo, ColumnSource, ColumnType, Goal } from "./table";

export const STATS = ["last", "min", "max", "min_step", "max_step", "mean", "first", "count", "tail"] as const;
export type Stat = (typeof STATS)[number];

export const STAT_WORDS: Readonly<Record<Stat, string>> = {
  last: "last value",
  min: "smallest",
  max: "largest",
  min_step: "step of the smallest",
  max_step: "step of the largest",
  mean: "mean of all points",
  first: "first value",
  count: "number of points",
  tail: "mean of the last points",
};

/** What a column of a metric's values counts, for its tooltip. */
export const COUNTED_POINTS = "points that a restart replaced are left out";

export interface ColumnId {
  readonly source: ColumnSource;
  /** The field, the key or the tag. */
  readonly name: string;
  readonly stat: Stat | null;
}

export function parseColumnId(id: string): ColumnId {
  const colon = id.indexOf(":");
  const source = id.slice(0, colon) as ColumnSource;
  const rest = id.slice(colon + 1);
  if (source !== "metric") return { source, name: rest, stat: null };
  const last = rest.lastIndexOf(":");
  const stat = STATS.find((known) => known === rest.slice(last + 1));
  // A tag may hold colons of its own.
  return last >= 0 && stat ? { source, name: rest.slice(0, last), stat } : { source, name: rest, stat: null };
}

export const metricId = (tag: string, stat: Stat): string => `metric:${tag}:${stat}`;

/** What stands above the column: "lr", "val/loss min". */
export function titleOf(id: string): string {
  const { source, name, stat } = parseColumnId(id);
  if (source === "run") return name.replaceAll("_", " ");
  return stat && stat !== "last" ? `${name} ${stat.replaceAll("_", " ")}` : name;
}

/** The listed column that an id asks for: a metric is listed without its stat. */
export function infoOf(columns: ReadonlyMap<string, ColumnInfo>, id: string): ColumnInfo | undefined {
  const { source, name } = parseColumnId(id);
  return columns.get(id) ?? (source === "metric" ? columns.get(`metric:${name}`) : undefined);
}

export function typeOf(columns: ReadonlyMap<string, ColumnInfo>, id: string): ColumnType {
  return parseColumnId(id).source === "metric" ? "number" : (infoOf(columns, id)?.type ?? "text");
}

/** As the server lists it, "max" where nobody says it; of a column that is not listed, by its name. */
export function goalOf(columns: ReadonlyMap<string, ColumnInfo>, id: string): Goal {
  const { name } = parseColumnId(id);
  const listed = infoOf(columns, id)?.goal;
  if (listed === "") return "max";
  return (
    listed ??
    (/loss|error|perplexity|_err$|(^|[^a-z])(mae|mse|rmse|ppl|wer|cer|fid|nll)([^a-z]|$)/i.test(name) ? "min" : "max")
  );
}

// Lists of ids in the address: "\" before what would end an item or a part of it.
export const escapeId = (text: string): string => text.replace(/[\\,~]/g, "\\$&");
export const unescapeId = (text: string): string => text.replace(/\\(.)/gs, "$1");
export const splitIds = (text: string, sign: "," | "~"): string[] =>
  text === "" ? [] : (text.match(sign === "," ? /(?:\\.|[^\\,])+/gs : /(?:\\.|[^\\~])+/gs) ?? []);

export const writeIds = (ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : ids.map(escapeId).join(",");
export const readIds = (text: string | undefined): string[] => splitIds(text ?? "", ",").map(unescapeId);

const GROUP_PREFIX = "columns:";
/** The columns that `settings.groupBy` names: "columns:param:lr,param:model". */
export const columnsOf = (groupBy: string): string[] =>
  groupBy.startsWith(GROUP_PREFIX) ? readIds(groupBy.slice(GROUP_PREFIX.length)) : [];
export const groupByColumns = (ids: readonly string[]): string =>
  ids.length === 0 ? "" : GROUP_PREFIX + writeIds(ids)!;
