/** Windows of traces, cut out of the slices that the site has stored. */

import { decodeColumns, type NumberColumn } from "../../columns";
import { encodeColumns } from "../encode_columns";
import { columnsResponse, jsonResponse, needsServer, type SiteRequest } from "../site_request";

type Columns = Readonly<Record<string, NumberColumn>>;

const whereOf = (parameters: URLSearchParams): string =>
  ["run", "capture", "host"].map((name) => parameters.get(name) ?? "").join("\0");

/** Slices that are narrower than a pixel and start in the same one of a row are one entry, named after the longest. */
export async function traceWindow({ files, parameters }: SiteRequest): Promise<Response> {
  const stored = await files.read(`trace\0${whereOf(parameters)}`);
  if (!stored) return needsServer();
  const { columns } = decodeColumns(stored.bytes.buffer);
  const [start, end, width] = ["start", "end", "width"].map((name) => Number(parameters.get(name) ?? 0));
  const entries = merged(columns, inside(columns, start!, end!, rowsOf(parameters.get("rows") ?? "")), {
    start: start!,
    pixelNs: (end! - start!) / Math.max(1, width!),
  });
  const picked = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const Type = column.constructor as new (length: number) => NumberColumn;
      const out = new Type(entries.length);
      entries.forEach(({ slice, count }, at) => (out[at] = name === "count" ? count : column[slice]!));
      return [name, out];
    }),
  );
  const total = entries.reduce((sum, { count }) => sum + count, 0);
  return columnsResponse(encodeColumns({ total }, picked));
}

/** "0-12,40" as a test; nothing is every row. */
function rowsOf(text: string): (row: number) => boolean {
  if (text === "") return () => true;
  const ranges = text.split(",").map((part) => part.split("-").map(Number));
  return (row) => ranges.some(([from, to = from]) => row >= from! && row <= to!);
}

function inside(columns: Columns, start: number, end: number, isWanted: (row: number) => boolean): number[] {
  const found: number[] = [];
  const { row: rows, start: starts, duration: durations } = columns as Record<string, NumberColumn>;
  for (let at = 0; at < rows!.length; at += 1) {
    if (starts![at]! <= end && starts![at]! + durations![at]! >= start && isWanted(rows![at]!)) found.push(at);
  }
  return found;
}

interface MergedSlices {
  slice: number;
  count: number;
}

/** In order of row and start, as they are stored. */
function merged(
  { row: rows, start: starts, duration: durations, count: counts }: Columns,
  slices: readonly number[],
  { start, pixelNs }: { start: number; pixelNs: number },
): readonly MergedSlices[] {
  const entries: MergedSlices[] = [];
  let [lastRow, lastPixel] = [-1, NaN];
  for (const at of slices) {
    const pixel = Math.floor((starts![at]! - start) / pixelNs);
    const isNarrow = durations![at]! < pixelNs;
    const before = entries.at(-1);
    if (isNarrow && before && rows![at] === lastRow && pixel === lastPixel) {
      before.count += counts![at]!;
      if (durations![at]! > durations![before.slice]!) before.slice = at;
    } else {
      entries.push({ slice: at, count: counts![at]! });
    }
    lastRow = rows![at]!;
    lastPixel = isNarrow ? pixel : NaN;
  }
  return entries;
}

export async function traceNames({ files, parameters }: SiteRequest): Promise<Response> {
  const texts = await files.json<Record<string, string>>(`names\0${whereOf(parameters)}`);
  if (!texts) return needsServer();
  return jsonResponse({ names: (parameters.get("ids") ?? "").split(",").map((id) => texts[id] ?? "") });
}

/** The whole counter, at the resolution that is stored: what lies outside of the window is not drawn. */
export async function counter({ files, parameters }: SiteRequest): Promise<Response> {
  const stored = await files.read(`counter\0${whereOf(parameters)}\0${parameters.get("counter") ?? "0"}`);
  return stored ? columnsResponse(stored.bytes) : needsServer();
}
