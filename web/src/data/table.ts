/** The table of runs and what is worked out from it: the routes of docs/http.md, typed. NaN and the infinities come as words. */

import { RequestError, requestJson, type RequestOptions } from "./request";

export type ColumnType = "number" | "text" | "bool" | "time" | "duration" | "list";
export type ColumnSource = "run" | "param" | "metric" | "summary";
/** What a cell holds; null is blank. */
export type Cell = number | string | boolean | readonly string[] | null;
export type Goal = "min" | "max";

/** One column that can be asked for. A metric is listed once, as `metric:<tag>`, with its stats. */
export interface ColumnInfo {
  readonly id: string;
  readonly name: string;
  readonly source: ColumnSource;
  readonly type: ColumnType;
  /** How many runs have it. */
  readonly runs: number;
  /** Numbers in some runs, text in others: shown as text. */
  readonly mixed?: boolean;
  readonly low?: number | null;
  readonly high?: number | null;
  /** The distinct values with how many runs have each, when they are few. */
  readonly values?: readonly { readonly value: Cell; readonly runs: number }[] | null;
  readonly stats?: readonly string[];
  /** Of a metric: "" where nobody says which end is the better one. */
  readonly goal?: Goal | "" | null;
}

export interface ColumnList {
  readonly version: number | string;
  readonly runs: number;
  readonly columns: readonly ColumnInfo[];
  /** How many columns of each source are not listed, where they are very many: to be found by a search. */
  readonly left_out?: Readonly<Partial<Record<ColumnSource, number>>>;
  /** Runs without a row of their own, and whose row they belong to. */
  readonly merged_into: Readonly<Record<string, string>>;
  /** Runs with the hyperparameters of a run above them. */
  readonly inherits_params_from: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

export interface RunsRequest {
  readonly query?: string;
  readonly runs?: readonly string[];
  /** How many last points `tail` is the mean of. */
  readonly tail?: number;
  readonly archived?: "hide" | "show" | "only";
}

export interface TableRequest extends RunsRequest {
  readonly columns: readonly string[];
  /** "-metric:val/loss:min" is from high to low. */
  readonly sort?: readonly string[];
  readonly start?: number;
  readonly stop?: number;
}

export interface TableColumn {
  readonly id: string;
  readonly type: ColumnType;
  readonly values: readonly Cell[];
  /** Over all rows that match, not only those of the window. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface TablePage {
  readonly version: number | string;
  readonly total: number;
  readonly matched: number;
  readonly start: number;
  readonly runs: readonly string[];
  readonly columns: readonly TableColumn[];
  /** Why the server and not the database of the runs evaluated the query: a sentence. */
  readonly computed_here?: string;
}

export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly { readonly text: string; readonly kind: string; readonly detail: string }[];
}

export interface GroupsRequest extends RunsRequest {
  readonly by: readonly string[];
  readonly metrics: readonly string[];
  /** The key of the group that the others are measured against. */
  readonly baseline?: readonly Cell[];
  readonly goal?: Readonly<Record<string, Goal>>;
}

export interface BaselineDelta {
  readonly difference: number | null;
  readonly welch_p: number | null;
  readonly bootstrap_low: number | null;
  readonly bootstrap_high: number | null;
  readonly caveat: string | null;
}

export interface GroupMetric {
  readonly n: number;
  readonly mean: number | null;
  readonly std: number | null;
  readonly median: number | null;
  readonly iqm: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly best: { readonly run: string; readonly value: number } | null;
  readonly worst: { readonly run: string; readonly value: number } | null;
  readonly against?: BaselineDelta | null;
}

export interface Group {
  readonly key: readonly Cell[];
  readonly runs: readonly string[];
  readonly metrics: Readonly<Record<string, GroupMetric>>;
}

export interface Groups {
  readonly by: readonly string[];
  readonly groups: readonly Group[];
  readonly problems: readonly string[];
  /** Why the server and not the database of the runs computed them: a sentence. */
  readonly computed_here?: string;
}

/** A column that runs may have been tuned for; `goal` is "" where nobody says which end is the better one. */
export interface Candidate {
  readonly id: string;
  readonly goal: Goal | "";
  /** Which part of a trial measured it: "validation" of Keras; "" where nobody says it. */
  readonly part: string;
}

/** What the runs were tuned for, or, where that is not certain, what may be meant. */
export interface ObjectiveChoice {
  readonly objective: Candidate | null;
  readonly candidates: readonly Candidate[];
  readonly reason: string;
  /** Tags, the likeliest first. */
  readonly ranked: readonly string[];
}

export interface ImportanceRequest extends RunsRequest {
  readonly target: string;
  readonly goal?: Goal;
  readonly params?: readonly string[];
}

export interface Effect {
  readonly id: string;
  readonly type: ColumnType;
  readonly x: readonly Cell[];
  readonly mean: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly n: readonly number[];
}

export interface Importance {
  readonly method: string;
  readonly n: number;
  readonly needed: number;
  readonly importances: readonly {
    readonly id: string;
    readonly importance: number;
    readonly deviation: number;
    readonly where: string | null;
  }[];
  readonly effects: readonly Effect[];
  readonly problem?: string | null;
}

export interface Removal {
  /** The first of them; `total` is how many there are. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly total: number;
  readonly bytes: number;
  /** What could not be done, in sentences. */
  readonly problems: readonly string[];
  /** Where the files went, once they did. */
  readonly trash?: string | null;
}

/** A query that cannot be read, and where in it the error is. */
export class QueryError extends RequestError {
  override readonly name = "QueryError";

  constructor(
    message: string,
    readonly at: number,
    readonly length: number,
  ) {
    super(message, 400, "invalid_parameter", { at, length });
  }
}

export interface ColumnsRequest {
  /** Only columns whose names hold every word. */
  readonly search?: string;
  /** These in any case. */
  readonly ids?: readonly string[];
}

export function fetchColumns(
  { search = "", ids = [] }: ColumnsRequest = {},
  signal?: AbortSignal,
): Promise<ColumnList> {
  const query = new URLSearchParams([
    ...(search === "" ? [] : [["search", search]]),
    ...ids.map((id) => ["id", id]),
  ]).toString();
  return requestJson(`api/table/columns${query === "" ? "" : `?${query}`}`, { signal });
}

export const isPartial = (list: ColumnList | null): boolean => Object.keys(list?.left_out ?? {}).length > 0;

export async function fetchTable(request: TableRequest, signal?: AbortSignal): Promise<TablePage> {
  const page = await requestTable<TablePage>("api/table", { body: request, signal });
  return { ...page, columns: page.columns.map(readColumn) };
}

export const fetchCompletion = (query: string, cursor: number, signal?: AbortSignal): Promise<Completion> =>
  requestJson("api/table/complete", { body: { query, cursor }, signal });

export async function fetchGroups(request: GroupsRequest, signal?: AbortSignal): Promise<Groups> {
  return readNumbers(await requestTable<Groups>("api/groups", { body: request, signal }), GROUP_NUMBERS);
}

export const fetchObjective = (request: RunsRequest, signal?: AbortSignal): Promise<ObjectiveChoice> =>
  requestTable("api/objective", { body: request, signal });

export async function fetchImportance(request: ImportanceRequest, signal?: AbortSignal): Promise<Importance> {
  return readNumbers(await requestTable<Importance>("api/importance", { body: request, signal }), IMPORTANCE_NUMBERS);
}

/** Only where the server was started with --allow_delete; else a RequestError with the code "forbidden". `dryRun` lists and touches nothing. */
export const removeRuns = (how: "trash" | "delete", runs: readonly string[], dryRun: boolean): Promise<Removal> =>
  requestJson(`api/runs/${how}`, { body: { runs, dry_run: dryRun } });

/** As requestJson; an error that names a position is a QueryError. */
async function requestTable<T>(address: string, options: RequestOptions): Promise<T> {
  try {
    return await requestJson<T>(address, options);
  } catch (failure) {
    const { at, length } = failure instanceof RequestError ? failure.details : {};
    if (typeof at !== "number") throw failure;
    throw new QueryError((failure as RequestError).message, at, typeof length === "number" ? length : 1);
  }
}

const WORDS: ReadonlyMap<unknown, number> = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);
const NUMERIC: ReadonlySet<ColumnType> = new Set(["number", "time", "duration"]);

/** "NaN" is a number in a column of numbers and a word in one of text. */
function readColumn(column: TableColumn): TableColumn {
  if (!NUMERIC.has(column.type)) return column;
  return { ...column, values: column.values.map((value) => WORDS.get(value) ?? value) };
}

const GROUP_NUMBERS: ReadonlySet<string> = new Set([
  "mean",
  "std",
  "median",
  "iqm",
  "low",
  "high",
  "value",
  "difference",
  "welch_p",
  "bootstrap_low",
  "bootstrap_high",
]);
const IMPORTANCE_NUMBERS: ReadonlySet<string> = new Set(["importance", "deviation", "mean", "low", "high"]);

/** The same tree with words read as numbers under the names that hold numbers; everything else is left as it came. */
export function readNumbers<T>(tree: T, names: ReadonlySet<string>, isNumber = false): T {
  if (typeof tree === "string") return (isNumber ? (WORDS.get(tree) ?? tree) : tree) as T;
  if (Array.isArray(tree)) return tree.map((item: unknown) => readNumbers(item, names, isNumber)) as T;
  if (tree === null || typeof tree !== "object") return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [name, readNumbers<unknown>(value, names, names.has(name))]),
  ) as T;
}
