/** A request of the page, as the handlers of a site see it, and their answers. */

import { NEEDS_SERVER } from "../published";
import type { SiteFiles, Stored } from "./files/site_files";

export interface SiteRequest {
  readonly files: SiteFiles;
  readonly method: string;
  /** Without the parameters: "api/series". */
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** Of a request with a JSON body; undefined without one. */
  readonly body: unknown;
}

export type Handler = (request: SiteRequest) => Promise<Response> | Response;

const COLUMNS = "application/vnd.seamark.columns";

export const storedResponse = ({ bytes, form }: Stored): Response =>
  new Response(bytes, { status: form.status, headers: { "content-type": form.media } });

export const jsonResponse = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });

export const columnsResponse = (bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, { headers: { "content-type": COLUMNS } });

/** As the server's errors: a sentence and a stable code. */
export const errorResponse = (error: string, status: number, code: string): Response =>
  jsonResponse({ error, code }, status);

export const needsServer = (): Response => errorResponse(NEEDS_SERVER, 404, "needs_server");
