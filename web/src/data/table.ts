/** The table of runs and what is worked out from it: the routes of docs/http.md, typed. NaN and the infinities come as words. */

import { RequestError, requestJson, type RequestOptions } from "./request";
import type * as Wire from "./wire_types";

/** One column that can be asked for. A metric is listed once, as `metric:<tag>`, with its stats. */
export type ColumnInfo = Wire.ListedColumn;
export type ColumnType = ColumnInfo["type"];
export type ColumnSource = ColumnInfo["source"];
export type ColumnList = Wire.ColumnsResponse;
/** What a cell holds; null is blank. */
export type Cell = Wire.TableColumn["values"][number];
export type Goal = Wire.DiffMetric["goal"];
export type RunsRequest = Wire.SelectionBody;
/** Which trials. */
export type TrialSelection = Omit<Wire.TrialColumnsBody, "columns">;
/** A range with both ends, a word, or null for a missing value. In a column of numbers "NaN" is NaN and the infinities. */
export type Condition = NonNullable<TrialSelection["where"]>[string][number];
export type TableRequest = Wire.TableBody;
export type TableColumn = WithNumbers<Wire.TableColumn>;
export type TablePage = WithNumbers<Wire.TableResponse>;
export type Completion = Wire.CompletionResponse;
export type GroupsRequest = Wire.GroupsBody;
export type GroupMetric = WithNumbers<Wire.GroupMetric>;
export type BaselineDelta = WithNumbers<Wire.Comparison>;
export type Group = WithNumbers<Wire.Group>;
export type Groups = WithNumbers<Wire.GroupsResponse>;
/** A column that runs may have been tuned for. */
export type Candidate = Wire.ObjectiveCandidate;
/** What the runs were tuned for, or, where that is not certain, what may be meant. */
export type ObjectiveChoice = Wire.ObjectiveResponse;
export type ImportanceRequest = Wire.ImportanceBody;
export type Effect = WithNumbers<Wire.Effect>;
export type Importance = WithNumbers<Wire.ImportanceResponse>;
/** `files` are the first of them; `total` is how many there are. */
export type Removal = Wire.RemovalResponse;

type NonFiniteWord = "NaN" | "Infinity" | "-Infinity";

/** A response whose numbers have been read: see readNumbers. */
type WithNumbers<T> = T extends NonFiniteWord
  ? never
  : T extends object
    ? { readonly [Name in keyof T]: WithNumbers<T[Name]> }
    : T;

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

/** An error that names a position in the query is a QueryError. */
export async function withQueryErrors<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (failure) {
    const { at, length } = failure instanceof RequestError ? failure.details : {};
    if (typeof at !== "number") throw failure;
    throw new QueryError((failure as RequestError).message, at, typeof length === "number" ? length : 1);
  }
}

const requestTable = <T>(address: string, options: RequestOptions): Promise<T> =>
  withQueryErrors(requestJson<T>(address, options));

const WORDS: ReadonlyMap<unknown, number> = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);
const NUMERIC: ReadonlySet<ColumnType> = new Set(["number", "time", "duration"]);

/** "NaN" is a number in a column of numbers and a word in one of text. */
export function readColumn(column: TableColumn): TableColumn {
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
