/** The table of runs in a report: columns of cells, sorted by the reader. */

import { formatCount, formatSeconds, formatValue } from "../base/format";
import type { Cell } from "../data/table";
import { sorted, type SortTerm } from "../ui/grid/sort";

export interface TableColumn {
  readonly id: string;
  readonly name: string;
  readonly type: "number" | "text" | "bool" | "time" | "duration" | "list";
  readonly values: readonly Cell[];
}

const WORDS: Readonly<Record<string, number>> = { NaN, Infinity, "-Infinity": -Infinity };
export const asNumber = (cell: Cell): number | null =>
  typeof cell === "number" ? cell : typeof cell === "string" ? (WORDS[cell] ?? null) : null;

export function shown(cell: Cell, type: TableColumn["type"]): string {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.join(", ");
  if (typeof cell === "boolean") return cell ? "true" : "false";
  const number = asNumber(cell);
  if (number === null || type === "text") return String(cell);
  if (type === "duration") return formatSeconds(number);
  if (type === "time") return readTime(number);
  return Number.isInteger(number) && Math.abs(number) < 1e9 ? formatCount(number) : shortest(number);
}

/** A learning rate of 3e-4 is to be read as that, not as 3.000e-4. */
function shortest(value: number): string {
  // 0.1 * 3 is 0.3 to a reader.
  const plain = String(+value.toPrecision(7)).replace("e+", "e").replaceAll("-", "−");
  return Number.isFinite(value) && plain.length <= 6 ? plain : formatValue(value);
}

export function readTime(secs: number): string {
  const time = new Date(secs * 1000);
  if (Number.isNaN(time.getTime())) return String(secs);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The rows in order. Numbers that JSON cannot hold are words in the file. */
export function sortedRows(columns: readonly TableColumn[], rows: number, sort: readonly SortTerm[]): number[] {
  const values = new Map(columns.map((column) => [column.id, column.values]));
  return sorted(
    Array.from({ length: rows }, (_, row) => row),
    sort,
    (row, id) => {
      const cell = values.get(id)?.[row] ?? null;
      return cell === "" ? null : (asNumber(cell) ?? cell);
    },
  );
}

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** The finite values of a metric, for bars in its cells; null where all are equal. */
export function spanOf({ id, type, values }: TableColumn): Span | null {
  if (type !== "number" || !id.startsWith("metric:")) return null;
  const numbers = values.map(asNumber).filter((value) => value !== null && Number.isFinite(value)) as number[];
  const low = numbers.reduce((least, value) => Math.min(least, value), Infinity);
  const high = numbers.reduce((most, value) => Math.max(most, value), -Infinity);
  return low < high ? { low, high } : null;
}

/** How far along its column's span a cell is, in percent; 0 for what is no number. */
export function share(cell: Cell, span: Span | null): number {
  const value = asNumber(cell);
  return span && value !== null && Number.isFinite(value)
    ? Math.round(((value - span.low) / (span.high - span.low)) * 100)
    : 0;
}
