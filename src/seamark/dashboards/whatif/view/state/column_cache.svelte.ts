/** Columns that parts of the page draw, requested once and kept while their set is shown. */

import { SvelteMap } from "svelte/reactivity";
import { messageOf } from "$public/core";
import type { ColumnValues } from "../requests";
import type { ColumnParameters } from "../wire";

interface CachedColumn {
  readonly values: ColumnValues | null;
  readonly error: string;
}

const MAX_COLUMNS = 64;

export class ColumnCache {
  readonly #columns = new SvelteMap<string, CachedColumn>();
  readonly #requested = new Set<string>();

  constructor(private readonly fetch: (parameters: ColumnParameters) => Promise<ColumnValues>) {}

  /** The column if it is there; otherwise null, and it is requested. Reactive. */
  get(parameters: ColumnParameters): ColumnValues | null {
    const key = JSON.stringify(parameters);
    const cached = this.#columns.get(key);
    if (cached === undefined && !this.#requested.has(key)) {
      this.#requested.add(key);
      void this.#load(key, parameters);
    }
    return cached?.values ?? null;
  }

  errorOf(parameters: ColumnParameters): string {
    return this.#columns.get(JSON.stringify(parameters))?.error ?? "";
  }

  /** As if nothing had been requested: after a change of the schema or of the file. */
  clear(): void {
    this.#columns.clear();
    this.#requested.clear();
  }

  async #load(key: string, parameters: ColumnParameters): Promise<void> {
    try {
      this.#columns.set(key, { values: await this.fetch(parameters), error: "" });
    } catch (failure) {
      this.#columns.set(key, { values: null, error: messageOf(failure) });
    }
    const oldest = this.#columns.keys().next().value;
    if (this.#columns.size > MAX_COLUMNS && oldest !== undefined) {
      this.#columns.delete(oldest);
      this.#requested.delete(oldest);
    }
  }
}
