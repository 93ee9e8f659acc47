/** Names, notes and pins in a published site: what was published, and over it what this viewer changed, in this page only. */

import type { StateDocument } from "../api";
import { getKey } from "./request_key";
import type { SiteFiles } from "./files/site_files";
import { jsonResponse, type SiteRequest } from "./site_request";

const EMPTY: StateDocument = { version: 0, runs: {}, pins: [], views: {}, dashboards: {} };

export class StateAnswers {
  #document: Promise<StateDocument> | undefined;

  constructor(private readonly files: SiteFiles) {}

  readonly get = async (): Promise<Response> => jsonResponse(await this.#read());

  readonly patch = async ({ body }: SiteRequest): Promise<Response> => {
    const current = await this.#read();
    const changed = { ...(merged(current, body) as StateDocument), version: current.version + 1 };
    this.#document = Promise.resolve(changed);
    return jsonResponse(changed);
  };

  #read(): Promise<StateDocument> {
    this.#document ??= this.files.json<StateDocument>(getKey("api/state")).then((found) => found ?? EMPTY);
    return this.#document;
  }
}

/** As the server merges: objects field by field, null removes, everything else replaces. */
function merged(current: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const result: Record<string, unknown> = { ...(isObject(current) ? current : {}) };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
