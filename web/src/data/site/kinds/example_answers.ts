/** Rows of sets of examples. */

import { jsonResponse, needsServer, type SiteRequest } from "../site_request";

interface StoredRows {
  readonly columns: readonly string[];
  readonly values: readonly (readonly unknown[])[];
}

interface RowsBody {
  readonly run: string;
  readonly name: string;
  readonly rows: readonly number[];
  readonly columns?: readonly string[] | null;
}

export async function exampleRows({ files, body }: SiteRequest): Promise<Response> {
  const { run, name, rows, columns } = body as RowsBody;
  const stored = await files.json<StoredRows>(`examples\0${run}\0${name}`);
  const wanted = columns?.length ? columns : stored?.columns;
  // Columns that a model computes are not among those of the set.
  if (!stored || !wanted?.every((column) => stored.columns.includes(column))) return needsServer();
  const places = wanted.map((column) => stored.columns.indexOf(column));
  const values = rows.map((row) => places.map((place) => stored.values[row]?.[place] ?? null));
  return jsonResponse({ rows, columns: wanted, values });
}
