/** RowSource: the rows of a table as a `DataGrid` reads them. */

import type { Cell, GridSource, SortTerm } from "$public/tables";
import type { ProfileColumn } from "./columns";

export class RowSource<Row> implements GridSource {
  readonly #columns: ReadonlyMap<string, ProfileColumn<Row>>;

  constructor(
    readonly rows: readonly Row[],
    columns: readonly ProfileColumn<Row>[],
  ) {
    this.#columns = new Map(columns.map((column) => [column.id, column]));
  }

  get total(): number {
    return this.rows.length;
  }

  keyOf(index: number): string | undefined {
    return index < this.rows.length ? String(index) : undefined;
  }

  cell(index: number, column: string): Cell | undefined {
    const row = this.rows[index];
    return row === undefined ? undefined : (this.#columns.get(column)?.value(row) ?? null);
  }

  extentOf(): null {
    return null;
  }

  load(): void {}

  keysOf(from: number, to: number): Promise<readonly string[]> {
    return Promise.resolve(Array.from({ length: to - from }, (_, at) => String(from + at)));
  }
}

/** The order after a click on a header: numbers begin with the largest, texts with A. */
export function sortAfterClick<Row>(
  before: readonly SortTerm[],
  clicked: readonly SortTerm[],
  columns: readonly ProfileColumn<Row>[],
): readonly SortTerm[] {
  const isText = (id: string): boolean => {
    const type = columns.find((column) => column.id === id)?.type;
    return type === "name" || type === "text";
  };
  // The grid sorts up, down, not at all; of numbers this makes down, up, not at all.
  const term = before.find(({ id }) => !clicked.some((next) => next.id === id));
  const wasDescending = before.length === 1 && term?.descending && !isText(term.id);
  if (clicked.length === 0 && wasDescending) return [{ id: term.id, descending: false }];
  return clicked.flatMap((next) => {
    if (isText(next.id)) return [next];
    const previous = before.find(({ id }) => id === next.id);
    if (!previous) return [{ ...next, descending: true }];
    return next.descending && !previous.descending ? [] : [next];
  });
}
