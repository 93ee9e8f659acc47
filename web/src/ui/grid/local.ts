/** A source that has all its rows, for tables that the page computes. */

import type { Cell } from "../../data/table";
import type { GridSource } from "./grid";
import { sorted, type SortTerm } from "./sort";

export interface LocalRow {
  readonly key: string;
  readonly cells: Readonly<Record<string, Cell>>;
}

export class LocalSource implements GridSource {
  readonly #extents = new Map<string, readonly [number, number] | null>();

  readonly rows: readonly LocalRow[];

  constructor(rows: readonly LocalRow[], sort: readonly SortTerm[] = []) {
    this.rows = sorted(rows, sort, ({ cells }, id) => cells[id]);
  }

  get total(): number {
    return this.rows.length;
  }

  keyOf(index: number): string | undefined {
    return this.rows[index]?.key;
  }

  cell(index: number, column: string): Cell | undefined {
    return this.rows[index]?.cells[column] ?? null;
  }

  extentOf(column: string): readonly [number, number] | null {
    if (!this.#extents.has(column)) this.#extents.set(column, extentOf(this.rows.map(({ cells }) => cells[column])));
    return this.#extents.get(column)!;
  }

  load(): void {}

  keysOf(from: number, to: number): Promise<readonly string[]> {
    return Promise.resolve(this.rows.slice(from, to).map(({ key }) => key));
  }
}

function extentOf(values: readonly (Cell | undefined)[]): readonly [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (typeof value !== "number" || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : null;
}
