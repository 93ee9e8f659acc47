/** Trials of a published site: grouped, filtered and sorted here, as compare/trials does it on a server. */

import { byName } from "../../../base/tags";
import type { Cell, ColumnList, Condition, ImportanceRequest } from "../../table";
import type { TrialsRequest } from "../../trials";
import { encodeColumns } from "../encode_columns";
import type { SiteFiles } from "../files/site_files";
import { getKey } from "../request_key";
import { columnsResponse, jsonResponse, needsServer, storedResponse, type SiteRequest } from "../site_request";
import { columnOf, type StoredColumn } from "./run_columns";
import { answerQuery, compareCells, selectRows, spanOf } from "./table_answers";

const NUMBERS: ReadonlySet<string> = new Set(["number", "time", "duration"]);
const WITHOUT_RESULT: ReadonlySet<unknown> = new Set(["pruned", "failed", "crashed"]);
const NON_FINITE: ReadonlySet<unknown> = new Set(["NaN", "Infinity", "-Infinity"]);
const STD = "std:";
const LEFT_OUT = "left_out:";

export const trials = (request: SiteRequest): Promise<Response> =>
  answerQuery(async () => {
    const { columns, start = 0, stop } = request.body as TrialsRequest;
    const { order, total, members, names, column } = await selectTrials(request.files, request.body as TrialsRequest);
    const window = order.slice(start ?? 0, stop ?? undefined);
    return jsonResponse({
      version: 1,
      total,
      matched: order.length,
      start,
      runs: window.map((trial) => names[members[trial]![0]!]),
      columns: await Promise.all(
        (columns ?? []).map(async (id) => {
          const { type, values } = await column(id);
          return {
            id,
            type,
            values: window.map((trial) => values[trial]),
            ...spanOf(order.map((trial) => values[trial])),
          };
        }),
      ),
    });
  });

export const trialColumns = (request: SiteRequest): Promise<Response> =>
  answerQuery(async () => {
    const body = request.body as TrialsRequest;
    const { order, total, members, names, column } = await selectTrials(request.files, body);
    const ids = body.columns ?? [];
    const columns = await Promise.all(ids.map(column));
    const arrays: Record<string, Float64Array | Uint8Array> = {};
    const values = columns.map(({ type, values: all }, at) => {
      const cells = order.map((trial) => all[trial] ?? null);
      const categories = NUMBERS.has(type) ? null : distinctSorted(cells);
      const index = categories && new Map(categories.map((cell, code) => [wordOf(cell), code]));
      const numbers = cells.map((cell) => (cell === null ? NaN : index ? index.get(wordOf(cell))! : Number(cell)));
      arrays[`number${at}`] = Float64Array.from(numbers, (number) => (Number.isFinite(number) ? number : NaN));
      arrays[`state${at}`] = Uint8Array.from(numbers, (number, row) =>
        cells[row] === null ? 1 : Number.isFinite(number) ? 0 : 2,
      );
      return { id: ids[at], type, categories };
    });
    const runs = order.map((trial) => members[trial]!.map((row) => names[row]));
    return columnsResponse(encodeColumns({ version: 1, total, runs, values }, arrays));
  });

/** Of all runs only: those of a part would have to be computed. */
export async function importance({ files, body }: SiteRequest): Promise<Response> {
  const request = body as ImportanceRequest;
  const { target, goal } = request;
  const { order, members, names } = await selectTrials(files, request);
  const isEverything = order.flatMap((trial) => members[trial]!).length === names.length;
  const stored = isEverything ? await files.read(`importance\0${target}\0${goal ?? ""}`) : null;
  return stored ? storedResponse(stored) : needsServer();
}

interface SelectedTrials {
  readonly names: readonly string[];
  /** The rows of each trial. */
  readonly members: readonly (readonly number[])[];
  /** The trials that match, in order. */
  readonly order: readonly number[];
  readonly total: number;
  /** A value for each trial. */
  column(id: string): Promise<StoredColumn>;
}

async function selectTrials(
  files: SiteFiles,
  { part = "", group_by: by, where = {}, sort: sortedBy, results_first: resultsFirst, ...rest }: Partial<TrialsRequest>,
): Promise<SelectedTrials> {
  const sort = sortedBy ?? [];
  const names = (await files.json<string[]>("rows")) ?? [];
  const list = (await files.json<ColumnList>(getKey("api/table/columns")))!;
  const rows = standIns(await selectRows(files, names, { ...rest, sort: by ? [] : sort }), names, list, part);
  const groupKeys = await Promise.all((by ?? []).map((id) => columnOf(files, id, names.length)));
  const members = by ? grouped(rows, groupKeys) : rows.map((row) => [row]);
  const column = async (id: string): Promise<StoredColumn> => {
    const source = id.replace(STD, "").replace(LEFT_OUT, "");
    const stored = await columnOf(files, source, names.length);
    return by
      ? ofTrials(stored, members, by.includes(source) ? null : id.slice(0, -source.length))
      : { type: stored.type, values: rows.map((row) => stored.values[row] ?? null) };
  };
  let order = [...members.keys()];
  for (const [id, conditions] of Object.entries(where)) {
    const { type, values } = await column(id);
    order = order.filter((trial) => matches(values[trial] ?? null, type, conditions));
  }
  if (by && sort.length > 0) {
    const keys = await Promise.all(sort.map((id) => column(id.replace(/^-/, ""))));
    order.sort((a, b) => compareCells(keys, sort, a, b));
  }
  if (resultsFirst) {
    const { values } = await column("run:status");
    const isOut = (trial: number): boolean => WITHOUT_RESULT.has(values[trial]);
    order = [...order.filter((trial) => !isOut(trial)), ...order.filter(isOut)];
  }
  const total = standIns([...names.keys()], names, list, part).length;
  return { names, members, order, total, column };
}

/** The rows that stand for their trials: those of this part, or of another if a trial does not have it. */
function standIns(rows: number[], names: readonly string[], list: ColumnList, part: string): number[] {
  const trialOf = new Map(Object.entries(list.inherits_params_from));
  if (part === "" || trialOf.size === 0) return rows;
  const parts = new Map<string, string[]>();
  const partOf = (run: string): string => run.slice(trialOf.get(run)!.length + 1);
  for (const run of rows.map((row) => names[row]!)) {
    const trial = trialOf.get(run);
    if (trial !== undefined) parts.set(trial, [...(parts.get(trial) ?? []), partOf(run)]);
  }
  const preferred = [part, ...(list.parts ?? [])];
  const chosen = new Map([...parts].map(([trial, own]) => [trial, preferred.find((name) => own.includes(name))]));
  return rows.filter((row) => {
    const trial = trialOf.get(names[row]!);
    return trial === undefined ? !parts.has(names[row]!) : chosen.get(trial) === partOf(names[row]!);
  });
}

function grouped(rows: readonly number[], keys: readonly StoredColumn[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map(({ values }) => values[row] ?? null));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/** Of numbers the mean, its deviation, or how many are left out of it; else the value that all runs have. */
function ofTrials(
  { type, values }: StoredColumn,
  members: readonly (readonly number[])[],
  prefix: string | null,
): StoredColumn {
  const isNumeric = NUMBERS.has(type);
  const of = (rows: readonly number[]): Cell => {
    const first = values[rows[0]!] ?? null;
    const given = rows.map((row) => values[row] ?? null).filter((cell) => cell !== null);
    if (prefix === null || !isNumeric)
      return rows.every((row) => wordOf(values[row] ?? null) === wordOf(first)) ? first : null;
    const numbers = given.filter((cell) => typeof cell === "number");
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    if (prefix === LEFT_OUT) return given.length === 0 ? null : given.length - numbers.length;
    if (prefix === "") return given.length === 0 ? null : numbers.length === 0 ? "NaN" : mean;
    const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
    return numbers.length < 2 ? null : Math.sqrt(squares / (numbers.length - 1));
  };
  return { type: prefix === LEFT_OUT ? "number" : type, values: members.map(of) };
}

function matches(cell: Cell, type: string, conditions: readonly Condition[]): boolean {
  return conditions.some((condition) => {
    if (condition === null || cell === null) return condition === cell;
    if (!NUMBERS.has(type)) return condition === wordOf(cell);
    if (!Array.isArray(condition)) return condition === "NaN" && NON_FINITE.has(cell);
    return typeof cell === "number" && cell >= condition[0]! && cell <= condition[1]!;
  });
}

function distinctSorted(cells: readonly Cell[]): Cell[] {
  const distinct = new Map(cells.filter((cell) => cell !== null).map((cell) => [wordOf(cell), cell]));
  return [...distinct].sort(([a], [b]) => byName(a, b)).map(([, cell]) => cell);
}

const wordOf = (cell: Cell): string => (Array.isArray(cell) ? JSON.stringify(cell) : String(cell));
