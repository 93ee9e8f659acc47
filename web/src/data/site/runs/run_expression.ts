/** Expressions over the columns of runs. */

import { loadEngine } from "../../../base/patterns";
import { charactersOf } from "../../../base/query_text";
import type { Cell, ColumnInfo, ColumnList } from "../../table";
import { isMatch, QueryValueError, type CellOf } from "./query_evaluation";
import { parseQuery, partsOf, QuerySyntaxError, type Node } from "./query_parser";
import { checkTypes, isChecked, type ValueType } from "./query_types";
import { getKey } from "../request_key";
import { columnOf, type StoredColumn } from "./run_columns";
import type { SiteFiles } from "../files/site_files";

/** Positions count characters, not UTF-16 units. */
export class QueryProblem extends Error {
  constructor(
    message: string,
    readonly at: number,
    readonly length: number,
  ) {
    super(message);
  }
}

/** Loads the columns that the expression names, and evaluates it row by row. */
export async function expressionMatcher(files: SiteFiles, query: string): Promise<(row: number) => boolean> {
  const whole = { at: 0, length: [...query].length };
  try {
    const tree = parseQuery(query);
    const { columns } = (await files.json<ColumnList>(getKey("api/table/columns")))!;
    const resolve = columnResolver(columns);
    const infos = new Map(columns.map((column) => [column.id, column]));
    checkTypes(tree, (node) => valueTypeOf(resolve(node), infos));
    const rows = ((await files.json<string[]>("rows")) ?? []).length;
    const ids = new Set(["run:tags", ...namesIn(tree).map(resolve)]);
    const loaded = new Map(
      await Promise.all([...ids].map(async (id) => [id, await columnOf(files, id, rows)] as const)),
    );
    // A pattern that the browser's own engine must not try needs the other one.
    if (query.includes("matches")) await loadEngine();
    const cellAt =
      (row: number): CellOf =>
      (id) =>
        readCell(loaded.get(id)!, row);
    // Values of the wrong type are found before a row is left out silently.
    if (rows > 0) isMatch(tree, cellAt(0), resolve);
    return (row) => isMatch(tree, cellAt(row), resolve);
  } catch (problem) {
    if (problem instanceof QuerySyntaxError) {
      const at = charactersOf(query, problem.at);
      throw new QueryProblem(problem.message, at, problem.length);
    }
    if (problem instanceof QueryValueError) throw new QueryProblem(problem.message, whole.at, whole.length);
    throw problem;
  }
}

const namesIn = (node: Node): Node[] =>
  node.type === "name" || node.type === "lookup" ? [node] : partsOf(node).flatMap(namesIn);

/** The column that a name means: a field, a hyperparameter, a metric, or the end of one hyperparameter's name. */
function columnResolver(columns: ColumnList["columns"]): (node: Node) => string {
  const ids = new Set(columns.map(({ id }) => id));
  const stats = new Map(columns.map(({ id, stats: own }) => [id, own ?? []]));
  const metric = (tag: string, stat: string): string | undefined =>
    stats.get(`metric:${tag}`)?.includes(stat as never) ? `metric:${tag}:${stat}` : undefined;
  const bySuffix = (name: string): string | undefined => {
    const found = columns.filter(({ id }) => id.startsWith("param:") && id.endsWith(`.${name}`));
    return found.length === 1 ? found[0]!.id : undefined;
  };
  const named = (name: string): string | undefined => {
    const [head, ...rest] = name.split(".");
    const own = [`run:${name}`, `param:${name}`, `summary:${name}`].find((id) => ids.has(id));
    if (own) return own;
    if ((head === "run" || head === "param") && ids.has(`${head}:${rest.join(".")}`))
      return `${head}:${rest.join(".")}`;
    return metric(name, "last") ?? metric(name.slice(0, name.lastIndexOf(".")), rest.at(-1) ?? "") ?? bySuffix(name);
  };
  return (node) => {
    if (node.type === "lookup") {
      const { source, name, stat } = node;
      const id =
        source === "metric" ? metric(name, stat) : ids.has(`${source}:${name}`) ? `${source}:${name}` : undefined;
      const found = id ?? (source === "param" ? bySuffix(name) : undefined);
      if (found) return found;
      throw new QueryValueError(`there is no ${source} '${name}'${source === "metric" ? ` with '${stat}'` : ""}`);
    }
    const name = node.type === "name" ? node.name : "";
    const found = named(name);
    if (found) return found;
    throw new QueryValueError(`there is no column '${name}' in this site`);
  };
}

/** A column with numbers and text is compared with both. */
function valueTypeOf(id: string, columns: ReadonlyMap<string, ColumnInfo>): ValueType {
  if (id.startsWith("metric:")) return "number";
  const { type, mixed } = columns.get(id) ?? {};
  return !mixed && isChecked(type) ? type : null;
}

/** NaN and the infinities are words in JSON. */
function readCell({ type, values }: StoredColumn, row: number): Cell {
  const cell = values[row] ?? null;
  const isNumber = type === "number" || type === "time" || type === "duration";
  return isNumber && typeof cell === "string" && WORDS.has(cell) ? Number(cell) : cell;
}

const WORDS: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);
