/** Sets of examples: the values of rows, which are stored in blocks. Columns and analyses are stored as they are requested. */

import { jsonResponse, needsServer, type SiteRequest } from "../site_request";

interface RowsBody {
  readonly run: string;
  readonly name: string;
  readonly step?: number;
  readonly rows: readonly number[];
  readonly columns?: readonly string[];
}

interface RowBlock {
  readonly columns: readonly string[];
  readonly values: readonly (readonly unknown[])[];
}

/** As publish/gather/examples.py cuts them. */
const ROWS_PER_BLOCK = 1000;

const blockOf = (row: number): number => Math.floor(row / ROWS_PER_BLOCK);

export async function exampleRows({ files, body }: SiteRequest): Promise<Response> {
  const { run, name, step = -1, rows, columns = [] } = body as RowsBody;
  const blocks = new Map<number, RowBlock>();
  for (const at of new Set([0, ...rows.map(blockOf)])) {
    const block = await files.json<RowBlock>(`examples\0${run}\0${name}\0${step}\0${at}`);
    if (!block) return needsServer();
    blocks.set(at, block);
  }
  const stored = blocks.get(0)!.columns;
  const wanted = columns.length > 0 ? columns : stored;
  const places = wanted.map((column) => stored.indexOf(column));
  if (places.includes(-1)) return needsServer();
  const values = rows.map((row) => {
    const own = blocks.get(blockOf(row))!.values[row % ROWS_PER_BLOCK];
    return places.map((place) => own?.[place] ?? null);
  });
  return jsonResponse({ rows, columns: wanted, values });
}
