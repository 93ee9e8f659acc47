/** Columns of trials as drawing and brushing need them: numbers, and text as indices into a sorted list. */

import { columnIds, type Cell, type ColumnType, type TrialValues } from "$public/tables";

export type { Cell };

/** The state of a value: it can be placed on an axis, is missing, or is NaN or infinite. */
export const VALUE = 0;
export const MISSING = 1;
export const NON_FINITE = 2;

export interface TrialColumn extends Omit<TrialValues, "categories"> {
  readonly label: string;
  /** The distinct values as text, and as they were logged; null for numbers. */
  readonly categories: readonly string[] | null;
  readonly categoryCells: readonly Cell[] | null;
}

const NUMBERS: ReadonlySet<ColumnType> = new Set(["number", "time", "duration"]);
export const isNumeric = (type: ColumnType): boolean => NUMBERS.has(type);

export const columnOf = (values: TrialValues): TrialColumn => ({
  ...values,
  label: columnIds.title(values.id),
  categories: values.categories?.map((category) => wordOf(category)!) ?? null,
  categoryCells: values.categories,
});

/** What a trial has there; null also for NaN and infinities. */
export function cellAt({ numbers, states, categoryCells }: TrialColumn, row: number): Cell {
  if (states[row] !== VALUE) return null;
  return categoryCells ? categoryCells[numbers[row]!]! : numbers[row]!;
}

/** A value as text; null for none. */
export function wordOf(value: Cell): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** Numbers that can be placed, sorted. */
export function finiteSorted({ numbers, states }: TrialColumn): Float64Array {
  return numbers.filter((_, row) => states[row] === VALUE).sort();
}

/** How many different values there are; counts no further than one above the limit. */
export function distinct(column: TrialColumn, limit: number): number {
  const seen = new Set<number>();
  for (let row = 0; row < column.numbers.length && seen.size <= limit; row += 1) {
    if (column.states[row] === VALUE) seen.add(column.numbers[row]!);
  }
  return seen.size;
}

/** The rows for which `keep` is 1, in their order. */
export function rowsOf(keep: Uint8Array): number[] {
  const rows: number[] = [];
  keep.forEach((one, row) => one === 1 && rows.push(row));
  return rows;
}
