/** The table's columns as drawing and brushing need them: numbers in typed arrays, words as indices into a sorted list. */

import { tagNames } from "$public/core";
import { columnIds, type Cell, type ColumnType, type TableColumn } from "$public/tables";

export type { Cell };
export type WireColumn = Pick<TableColumn, "id" | "type" | "values">;

/** What a cell is: something to place, nothing, or a number that no axis can show. */
export const VALUE = 0;
export const BLANK = 1;
export const BROKEN = 2;

export interface TrialColumn {
  readonly id: string;
  readonly label: string;
  readonly type: ColumnType;
  readonly cells: readonly Cell[];
  /** Of a row: its number, or the index of its category. NaN where the state is not VALUE. */
  readonly numbers: Float64Array;
  readonly states: Uint8Array;
  /** Of words, yes and no, and lists; null where the values are numbers. */
  readonly categories: readonly string[] | null;
}

const NUMBERS: ReadonlySet<ColumnType> = new Set(["number", "time", "duration"]);
export const isNumeric = (type: ColumnType): boolean => NUMBERS.has(type);

export function columnOf(wire: WireColumn, label = columnIds.title(wire.id)): TrialColumn {
  const { id, type, values } = wire;
  return isNumeric(type) ? numberColumn(id, label, type, values) : wordColumn(id, label, type, values);
}

function numberColumn(id: string, label: string, type: ColumnType, values: readonly Cell[]): TrialColumn {
  const numbers = new Float64Array(values.length).fill(NaN);
  const states = new Uint8Array(values.length);
  const cells = values.map((value, row): Cell => {
    if (value === null) {
      states[row] = BLANK;
      return null;
    }
    const number = Number(value);
    if (Number.isFinite(number)) numbers[row] = number;
    else states[row] = BROKEN;
    return number;
  });
  return { id, label, type, cells, numbers, states, categories: null };
}

function wordColumn(id: string, label: string, type: ColumnType, values: readonly Cell[]): TrialColumn {
  const words = values.map(wordOf);
  const categories = sortWords(new Set(words.filter((word) => word !== null)));
  const places = new Map(categories.map((word, index) => [word, index]));
  const states = new Uint8Array(values.length);
  const numbers = Float64Array.from(words, (word, row) => {
    if (word !== null) return places.get(word)!;
    states[row] = BLANK;
    return NaN;
  });
  return { id, label, type, cells: values, numbers, states, categories };
}

/** A value as text, the same for every way it may be spelled; null for none. */
export function wordOf(value: Cell): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** Numbers by size, then words by name: as a column sorts in which both are. */
export function sortWords(words: Iterable<string>): string[] {
  const isNumber = (word: string): boolean => word.trim() !== "" && Number.isFinite(Number(word));
  return [...words].sort((a, b) => {
    const [left, right] = [isNumber(a), isNumber(b)];
    if (left && right) return Number(a) - Number(b);
    return left !== right ? (left ? -1 : 1) : tagNames.compare(a, b);
  });
}

/** Numbers that can be placed, sorted. */
export function finiteSorted({ numbers, states }: TrialColumn): Float64Array {
  return numbers.filter((_, row) => states[row] === VALUE).sort();
}

/** How many different values there are, up to a limit: past it, nobody counts. */
export function distinct(column: TrialColumn, limit: number): number {
  const seen = new Set<number>();
  for (let row = 0; row < column.numbers.length && seen.size <= limit; row += 1) {
    if (column.states[row] === VALUE) seen.add(column.numbers[row]!);
  }
  return seen.size;
}

/** The same columns with some rows only. */
export function takeRows(column: TrialColumn, rows: readonly number[] | Uint32Array): TrialColumn {
  return {
    ...column,
    cells: Array.from(rows, (row) => column.cells[row] ?? null),
    numbers: Float64Array.from(rows, (row) => column.numbers[row]!),
    states: Uint8Array.from(rows, (row) => column.states[row]!),
  };
}
