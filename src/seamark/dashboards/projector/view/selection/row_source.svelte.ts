/** RowSource: the rows of a table of points. Their texts are requested in blocks, when they become visible. */

import { SvelteMap } from "svelte/reactivity";
import type { Cell, GridSource } from "$public/tables";
import type { ProjectorRequests } from "../load";
import type { EmbeddingInfo, EmbeddingRef } from "../wire";

const BLOCK_ROWS = 256;

type Block = readonly (readonly string[])[];

export class RowSource implements GridSource {
  readonly #blocks = new SvelteMap<number, Block>();
  readonly #requested = new Set<number>();
  readonly #columns: ReadonlyMap<string, { readonly at: number; readonly isNumber: boolean }>;
  readonly #names: readonly string[];

  constructor(
    private readonly of: {
      readonly ref: EmbeddingRef;
      readonly info: EmbeddingInfo;
      /** In the order of the table. */
      readonly rows: Uint32Array;
      /** By row: from the inspected point. */
      readonly distances: Float32Array | null;
    },
    private readonly requests: ProjectorRequests,
    private readonly onerror: (failure: unknown) => void,
  ) {
    const { columns } = of.info;
    this.#columns = new Map(columns.map(({ name, type }, at) => [name, { at, isNumber: type === "number" }]));
    this.#names = columns.map(({ name }) => name);
  }

  get total(): number {
    return this.of.rows.length;
  }

  keyOf(index: number): string | undefined {
    return this.of.rows[index]?.toString();
  }

  /** Columns of the metadata have the prefix `column:`. */
  cell(index: number, column: string): Cell | undefined {
    const row = this.of.rows[index];
    if (row === undefined) return undefined;
    if (column === "row") return row;
    if (column === "distance") return this.of.distances?.[row] ?? null;
    const texts = this.#blocks.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS];
    const found = this.#columns.get(column.slice("column:".length));
    if (!texts || !found) return undefined;
    const text = texts[found.at] ?? "";
    return text === "" ? null : found.isNumber ? Number(text) : text;
  }

  extentOf(): null {
    return null;
  }

  load({ from, to }: { readonly from: number; readonly to: number }): void {
    if (this.#names.length === 0) return;
    for (let block = Math.floor(from / BLOCK_ROWS); block * BLOCK_ROWS < to; block += 1) void this.#load(block);
  }

  keysOf(from: number, to: number): Promise<readonly string[]> {
    return Promise.resolve(Array.from(this.of.rows.subarray(from, to), String));
  }

  async #load(block: number): Promise<void> {
    if (this.#requested.has(block)) return;
    this.#requested.add(block);
    const rows = this.of.rows.subarray(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
    try {
      this.#blocks.set(block, (await this.requests.texts(this.of.ref, [...rows], this.#names)).values);
    } catch (failure) {
      this.#requested.delete(block);
      this.onerror(failure);
    }
  }
}
