/** Windows of histograms, cut out of the whole series that the site has stored. */

import type { Axis } from "../../api";
import { decodeColumns, type ColumnBlock, type NumberColumn } from "../../columns";
import { encodeColumns } from "../encode_columns";
import { columnsResponse, errorResponse, type SiteRequest } from "../site_request";

interface Problem {
  readonly row: number;
  readonly run: string;
  readonly message: string;
}

interface Part {
  readonly run: string;
  readonly block: ColumnBlock;
  /** Of the whole series, and those inside the window and the limit. */
  readonly total: number;
  readonly inside: number;
  readonly rows: readonly number[];
  readonly replaced: number;
}

const PERCENTILES = 9;

export const histogramsKey = (tag: string, run: string, attempts: string): string =>
  `histograms\0${tag}\0${run}\0${attempts}`;

export async function histograms({ files, parameters }: SiteRequest): Promise<Response> {
  const tag = parameters.get("tag") ?? "";
  const attempts = parameters.get("attempts") ?? "latest";
  const runs = [...new Set(parameters.getAll("run"))];
  const found = runs.filter((run) => files.has(histogramsKey(tag, run, attempts)));
  if (runs.length === 1 && found.length === 0)
    return errorResponse(`no histograms of '${tag}' in run '${runs[0]}'`, 404, "not_found");
  const parts = await Promise.all(
    found.map(async (run) => {
      const stored = await files.read(histogramsKey(tag, run, attempts));
      return cut(run, decodeColumns(stored!.bytes.buffer), parameters);
    }),
  );
  const isWhole = !parameters.has("start") && !parameters.has("stop");
  const header = { tag, runs: found, problems: problemsOf(parts), health: isWhole ? healthOf(parts) : null };
  return columnsResponse(encodeColumns(header, columnsOf(parts, parameters.get("parts") ?? "buckets")));
}

function cut(run: string, block: ColumnBlock, parameters: URLSearchParams): Part {
  const { step, wall, began, replaced } = block.columns;
  const axis = (parameters.get("axis") ?? "step") as Axis;
  const origin = axis === "relative" ? began![0]! : 0;
  const bound = (name: string, missing: number): number =>
    parameters.has(name) ? Number(parameters.get(name)) : missing;
  const [start, stop] = [bound("start", -Infinity), bound("stop", Infinity)];
  const inside = Array.from(step!.keys()).filter((row) => {
    const x = axis === "step" ? step![row]! : wall![row]! - origin;
    return x >= start && x <= stop;
  });
  const rows = thin(inside, bound("limit", 0));
  const total = step!.length;
  const firstReplaced = total - replaced![0]!;
  const replacedRows = rows.filter((row) => row >= firstReplaced).length;
  return { run, block, total, inside: inside.length, rows, replaced: replacedRows };
}

/** Every 2nd, 4th, 8th … and the last, so that at most `limit` are left. Strides count from the start of the series. */
export function thin(rows: readonly number[], limit: number): readonly number[] {
  if (limit <= 0 || rows.length <= limit) return rows;
  let stride = 1;
  while (rows.length / stride > Math.max(1, limit - 2)) stride *= 2;
  const kept = rows.filter((row) => row % stride === 0);
  return kept.at(-1) === rows.at(-1) ? kept : [...kept, rows.at(-1)!];
}

function columnsOf(parts: readonly Part[], which: string): Record<string, NumberColumn> {
  const perRow = (name: string): Float64Array =>
    Float64Array.from(parts.flatMap(({ rows, block }) => rows.map((row) => block.columns[name]![row]!)));
  const perRun = (value: (part: Part) => number): Float64Array => Float64Array.from(parts, value);
  return {
    run: Uint32Array.from(parts.flatMap(({ rows }, at) => rows.map(() => at))),
    step: perRow("step"),
    wall: perRow("wall"),
    left_out: perRow("left_out"),
    points: perRun(({ inside }) => inside),
    total: perRun(({ total }) => total),
    began: perRun(({ block }) => block.columns.began![0]!),
    replaced: perRun(({ replaced }) => replaced),
    ...(which === "percentiles" ? {} : bucketsOf(parts)),
    ...(which === "buckets" ? {} : { percentiles: percentilesOf(parts) }),
  };
}

function bucketsOf(parts: readonly Part[]): Record<string, NumberColumn> {
  const ranges = parts.flatMap(({ rows, block }) => {
    const { offsets } = block.columns;
    return rows.map((row) => ({ block, from: offsets![row]!, to: offsets![row + 1]! }));
  });
  const offsets = new Float64Array(ranges.length + 1);
  ranges.forEach(({ from, to }, at) => (offsets[at + 1] = offsets[at]! + to - from));
  const joined = (name: string): Float64Array => {
    const out = new Float64Array(offsets.at(-1)!);
    ranges.forEach(({ block, from, to }, at) => out.set(block.columns[name]!.subarray(from, to), offsets[at]));
    return out;
  };
  return { offsets, left: joined("left"), right: joined("right"), count: joined("count") };
}

function percentilesOf(parts: readonly Part[]): Float64Array {
  const rows = parts.flatMap((part) => part.rows.map((row) => ({ column: part.block.columns.percentiles!, row })));
  const out = new Float64Array(rows.length * PERCENTILES);
  rows.forEach(({ column, row }, at) =>
    out.set(column.subarray(row * PERCENTILES, (row + 1) * PERCENTILES), at * PERCENTILES),
  );
  return out;
}

/** `row` counts the histograms of the answer. */
function problemsOf(parts: readonly Part[]): Problem[] {
  let before = 0;
  return parts.flatMap(({ block, rows }) => {
    const start = before;
    before += rows.length;
    return (block.header.problems as readonly Problem[])
      .map((problem) => ({ ...problem, row: rows.indexOf(problem.row) }))
      .filter(({ row }) => row >= 0)
      .map((problem) => ({ ...problem, row: problem.row + start }));
  });
}

const healthOf = (parts: readonly Part[]): unknown[] =>
  parts.flatMap(({ block }) => (block.header.health as readonly unknown[] | null) ?? []);
