/** Requests to the server. Addresses are relative, so the page works under any path prefix. */

import { decodeColumns, type ColumnBlock } from "./columns";

export interface RequestOptions {
  /** Sent as JSON, or as it is if it is a Blob, by POST unless `method` says otherwise. */
  readonly body?: unknown;
  readonly method?: "POST" | "PATCH" | "PUT";
  readonly signal?: AbortSignal | undefined;
}

/** As `fetch`. A published site answers from files instead. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

let transport: Transport = (address, init) => fetch(address, init);

/** All later requests go there. */
export function setTransport(replacement: Transport): void {
  transport = replacement;
}

/** The server rejected a request, failed at it, or could not be reached. */
export class RequestError extends Error {
  override readonly name: string = "RequestError";

  constructor(
    message: string,
    /** The HTTP status; 0 if there was no response. */
    readonly status: number,
    /** The server's stable code, such as "not_found" (docs/http.md); "unreachable" if there was no response. */
    readonly code: string,
    /** Further fields of the JSON error. */
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Sending the same request again would not help. */
  get isRejected(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

const begun = new Map<string, Promise<Response>>();

/** Sends a GET request before the code that needs its response is there: the next request to the address uses it. */
export function beginRequest(address: string): void {
  const response = transport(address, {});
  // A failure is reported by the request that uses it.
  response.catch(() => undefined);
  begun.set(address, response);
}

function takeBegun(address: string): Promise<Response> | undefined {
  const response = begun.get(address);
  begun.delete(address);
  return response;
}

let awaited = 0;

/** Whether a response is awaited: what can wait should not compete with it. */
export const isAwaitingResponse = (): boolean => awaited > 0;

/** Throws a RequestError unless the response is OK. An aborted request throws the signal's reason. */
export async function request(address: string, options: RequestOptions = {}): Promise<Response> {
  const { body, method = "POST", signal } = options;
  const content =
    body instanceof Blob
      ? { method, headers: { "content-type": "application/octet-stream" }, body }
      : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  awaited += 1;
  try {
    response = await ((body === undefined && takeBegun(address)) ||
      transport(address, { ...(body === undefined ? {} : content), ...(signal ? { signal } : {}) }));
  } catch (cause) {
    if (signal?.aborted || cause instanceof RequestError) throw cause;
    throw new RequestError("the server does not answer; is it still running?", 0, "unreachable", {}, { cause });
  } finally {
    awaited -= 1;
  }
  if (response.ok) return response;
  const { error, code, ...details } = ((await response.json().catch(() => null)) ?? {}) as {
    error?: string;
    code?: string;
  };
  const message = error ?? `the server answered ${response.status} ${response.statusText}`.trimEnd();
  throw new RequestError(message, response.status, code ?? "", details);
}

export async function requestJson<T>(address: string, options?: RequestOptions): Promise<T> {
  return (await (await request(address, options)).json()) as T;
}

export async function requestBytes(address: string, options?: RequestOptions): Promise<ArrayBuffer> {
  return (await request(address, options)).arrayBuffer();
}

/** Columns as the server sends them, see columns.ts. */
export async function requestBlock(address: string, options?: RequestOptions): Promise<ColumnBlock> {
  return decodeColumns(await requestBytes(address, options));
}
