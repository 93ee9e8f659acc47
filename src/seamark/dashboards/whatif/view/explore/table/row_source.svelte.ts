/** RowSource: the rows of Explore's table. Values are requested in blocks, when they become visible. */

import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import { messageOf } from "$public/core";
import type { Cell, GridSource } from "$public/tables";

const BLOCK_ROWS = 256;
const MAX_CACHED = 20_000;

export type RowValues = readonly (number | boolean | string | null)[];

/** Values of rows, by row; shared by all orders of the same set. */
export class RowCache {
  readonly values = new SvelteMap<number, RowValues>();
  error = $state("");

  constructor(
    readonly columns: readonly string[],
    readonly fetch: (
      rows: readonly number[],
    ) => Promise<{ readonly rows: readonly number[]; readonly values: readonly RowValues[] }>,
  ) {}

  async load(rows: readonly number[]): Promise<void> {
    const missing = untrack(() => rows.filter((row) => !this.values.has(row)));
    if (missing.length === 0) return;
    const response = await this.fetch(missing);
    if (this.values.size > MAX_CACHED) this.values.clear();
    response.rows.forEach((row, at) => this.values.set(row, response.values[at]!));
  }
}

export class RowSource implements GridSource {
  readonly #requested = new Set<number>();
  readonly #positions: ReadonlyMap<string, number>;

  constructor(
    /** In the order of the table. */
    readonly rows: Uint32Array,
    private readonly cache: RowCache,
    /** The value of a computed column such as `=score`. Reactive. */
    private readonly computed: (column: string, row: number) => Cell | undefined,
  ) {
    this.#positions = new Map(cache.columns.map((name, at) => [name, at]));
  }

  get total(): number {
    return this.rows.length;
  }

  keyOf(index: number): string | undefined {
    return this.rows[index]?.toString();
  }

  cell(index: number, column: string): Cell | undefined {
    const row = this.rows[index];
    if (row === undefined) return undefined;
    if (column === "row") return row;
    if (column.startsWith("=")) return this.computed(column, row);
    const values = this.cache.values.get(row);
    const at = this.#positions.get(column);
    return values && at !== undefined ? (values[at] ?? null) : undefined;
  }

  extentOf(): null {
    return null;
  }

  load({ from, to }: { readonly from: number; readonly to: number }): void {
    for (let block = Math.floor(from / BLOCK_ROWS); block * BLOCK_ROWS < to; block += 1) void this.#load(block);
  }

  keysOf(from: number, to: number): Promise<readonly string[]> {
    return Promise.resolve(Array.from(this.rows.subarray(from, to), String));
  }

  async #load(block: number): Promise<void> {
    if (this.#requested.has(block)) return;
    this.#requested.add(block);
    try {
      await this.cache.load([...this.rows.subarray(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)]);
    } catch (failure) {
      this.#requested.delete(block);
      this.cache.error = messageOf(failure);
    }
  }
}
