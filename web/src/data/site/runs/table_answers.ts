/** The table of runs: rows are selected and sorted here, over the columns that the site has stored. */

import { compilePattern, loadEngine } from "../../../base/patterns";
import { kindOf, namePattern } from "../../../base/query_text";
import { NEEDS_SERVER } from "../../published";
import type { Cell, ColumnList, TableRequest } from "../../table";
import { getKey } from "../request_key";
import { columnOf, type StoredColumn } from "./run_columns";
import { expressionMatcher, QueryProblem } from "./run_expression";
import type { SiteFiles } from "../files/site_files";
import { errorResponse, jsonResponse, needsServer, storedResponse, type SiteRequest } from "../site_request";

export async function tableColumns({ files, path, parameters }: SiteRequest): Promise<Response> {
  const list = (await files.json<ColumnList>(getKey(path)))!;
  const words = (parameters.get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const ids = new Set(parameters.getAll("id"));
  const isWanted = ({ id, name }: { id: string; name: string }): boolean =>
    ids.has(id) || words.every((word) => name.toLowerCase().includes(word));
  return jsonResponse({ ...list, columns: list.columns.filter(isWanted) });
}

/** An error in the query is a response with its position. */
export async function answerQuery(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (problem) {
    if (!(problem instanceof QueryProblem)) throw problem;
    const { message: error, at, length } = problem;
    return jsonResponse({ error, code: "invalid_parameter", at, length }, 400);
  }
}

export const table = ({ files, body }: SiteRequest): Promise<Response> =>
  answerQuery(() => tableWindow(files, body as TableRequest));

async function tableWindow(files: SiteFiles, request: TableRequest): Promise<Response> {
  const names = (await files.json<string[]>("rows")) ?? [];
  const rows = await selectRows(files, names, request);
  const start = request.start ?? 0;
  const window = rows.slice(start, request.stop ?? undefined);
  const columns = await Promise.all(
    (request.columns ?? []).map(async (id) => {
      const { type, values } = await columnOf(files, id, names.length);
      return { id, type, values: window.map((row) => values[row]), ...spanOf(rows.map((row) => values[row])) };
    }),
  );
  return jsonResponse({
    version: 1,
    total: names.length,
    matched: rows.length,
    start,
    runs: window.map((row) => names[row]),
    columns,
  });
}

/** Whatever part of the runs is shown: what they were tuned for is said of all. */
export async function objective({ files, path }: SiteRequest): Promise<Response> {
  const stored = await files.read(`POST ${path}\0{}`);
  return stored ? storedResponse(stored) : needsServer();
}

/** Nothing to offer. */
export function complete({ body }: SiteRequest): Response {
  const { query, cursor = [...query].length } = body as { query: string; cursor?: number };
  return jsonResponse({ from: cursor, to: cursor, options: [] });
}

export const groups = (): Response => errorResponse(NEEDS_SERVER, 400, "needs_server");

export async function selectRows(files: SiteFiles, names: readonly string[], request: TableRequest): Promise<number[]> {
  let rows = names.map((_, row) => row);
  const { archived = "hide", runs, query = "" } = request;
  const sort = request.sort ?? [];
  if (archived !== "show") {
    const { values } = await columnOf(files, "run:archived", names.length);
    rows = rows.filter((row) => (values[row] === true) === (archived === "only"));
  }
  if (runs) {
    const { merged_into: merged } = (await files.json<ColumnList>(getKey("api/table/columns")))!;
    const wanted = new Set(runs.map((run) => merged[run] ?? run));
    rows = rows.filter((row) => wanted.has(names[row]!));
  }
  const matches = await matcherOf(files, names, query);
  rows = rows.filter(matches);
  const keys = await Promise.all(sort.map((id) => columnOf(files, id.replace(/^-/, ""), names.length)));
  return rows.sort((a, b) => compareCells(keys, sort, a, b));
}

/** Two rows by several columns, then in the stored order: by start. */
export function compareCells(keys: readonly StoredColumn[], sort: readonly string[], a: number, b: number): number {
  for (const [at, { values }] of keys.entries()) {
    const order = compared(values[a] ?? null, values[b] ?? null, sort[at]!.startsWith("-"));
    if (order !== 0) return order;
  }
  return a - b;
}

async function matcherOf(files: SiteFiles, names: readonly string[], query: string): Promise<(row: number) => boolean> {
  const kind = kindOf(query);
  if (kind === "empty") return () => true;
  if (kind === "expression") return expressionMatcher(files, query);
  const text = kind === "name" ? query.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : namePattern(query)!.trim();
  const pattern = compilePattern(text, { ignoreCase: true });
  if (pattern.find("x".repeat(64)) === undefined) await loadEngine();
  if (pattern.error) throw new QueryProblem(pattern.error, 0, [...query].length);
  const labels = (await columnOf(files, "run:label", names.length)).values;
  const isFound = (name: string): boolean => (pattern.find(name) ?? null) !== null;
  return (row) =>
    isFound(names[row]!) || (typeof labels[row] === "string" && labels[row] !== "" && isFound(labels[row]));
}

/** Blanks come last, before them what is no number, whichever way the rest is sorted. */
function compared(a: Cell, b: Cell, isDescending: boolean): number {
  const rank = (cell: Cell): number => (cell === null ? 2 : cell === "NaN" ? 1 : 0);
  if (rank(a) !== rank(b) || rank(a) > 0) return rank(a) - rank(b);
  const order = ordered(a, b);
  return isDescending ? -order : order;
}

const INFINITIES: ReadonlyMap<unknown, number> = new Map([
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function ordered(a: Cell, b: Cell): number {
  const [x, y] = [INFINITIES.get(a) ?? a, INFINITIES.get(b) ?? b];
  if (typeof x === "string" && typeof y === "string") return x < y ? -1 : x > y ? 1 : 0;
  return Number(x) - Number(y) || 0;
}

/** Over finite numbers; null without any. */
export function spanOf(values: readonly (Cell | undefined)[]): { low: number | null; high: number | null } {
  const numbers = values.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
  if (numbers.length === 0) return { low: null, high: null };
  return numbers.reduce((span, value) => ({ low: Math.min(span.low, value), high: Math.max(span.high, value) }), {
    low: Infinity,
    high: -Infinity,
  });
}
