/** Embeddings: principal components of all rows, and the texts of rows. */

import { needsServer, storedResponse, jsonResponse, type SiteRequest } from "../site_request";

interface ProjectionBody {
  readonly run: string;
  readonly name: string;
  readonly normalize?: boolean;
  readonly center?: boolean;
  readonly sphereize?: boolean;
  readonly method?: { readonly method?: string; readonly dims?: number; readonly components?: readonly number[] };
}

interface RowTexts {
  readonly columns: readonly string[];
  readonly values: readonly (readonly unknown[])[];
}

/** `projection` and `quality`: principal components with the usual preparation are stored, everything else is computed by a server. */
export async function projected({ files, path, body }: SiteRequest): Promise<Response> {
  const { run, name, method = {}, normalize = false, center = true, sphereize = false } = body as ProjectionBody;
  const isStored = method.method === "pca" && !method.components?.length && !normalize && center && !sphereize;
  const route = path.slice(path.lastIndexOf("/") + 1);
  const stored = isStored ? await files.read(`${route}\0${run}\0${name}\0${method.dims ?? 2}`) : null;
  return stored ? storedResponse(stored) : needsServer();
}

export async function movement({ files, body }: SiteRequest): Promise<Response> {
  const { run, name } = body as { run: string; name: string };
  const stored = await files.read(`movement\0${run}\0${name}`);
  return stored ? storedResponse(stored) : needsServer();
}

export async function rowTexts({ files, body }: SiteRequest): Promise<Response> {
  const { run, name, rows, columns } = body as {
    run: string;
    name: string;
    rows: readonly number[];
    columns?: readonly string[] | null;
  };
  const stored = await files.json<RowTexts>(`rows\0${run}\0${name}`);
  if (!stored) return needsServer();
  const wanted = columns ?? stored.columns;
  const places = wanted.map((column) => stored.columns.indexOf(column));
  const values = rows.map((row) => places.map((place) => stored.values[row]?.[place] ?? ""));
  return jsonResponse({ columns: wanted, values });
}
