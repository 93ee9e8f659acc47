/** Columns of the tables of Profile: what a cell holds, and its text. */

import { format } from "$public/core";
import type { GridColumn } from "$public/tables";
import { percentText, timeText } from "../numbers";

export type CellType =
  | "name"
  | "text"
  | "count"
  | "time"
  | "change"
  | "bytes"
  | "bandwidth"
  | "amount"
  | "percent"
  | "share"
  | "flag"
  | "range";
export type CellValue = string | number | boolean | null;

export interface ProfileColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** What the column means. */
  readonly hint?: string;
  /** time: nanoseconds; change: the same with a sign; share: 0 to 1, with a bar; amount: of any size, as 45.2G; percent: 0 to 100; flag: yes or no; range: see `rangeOf`. */
  readonly type: CellType;
  readonly widthPx?: number;
  readonly isElastic?: boolean;
  /** Null: the trace cannot give it. */
  readonly value: (row: Row) => CellValue;
  /** What a name or a text says instead of its value, which is its title. */
  readonly textOf?: (row: Row) => string;
  /** Of a range: the smallest, the mean and the largest; its value is what it is sorted by. */
  readonly rangeOf?: (row: Row) => Range;
  /** Of a share: the value with the whole bar. Default: the largest of the column. */
  readonly wholeBar?: number;
  /** Why a cell is n/a. */
  readonly reason?: string;
}

/** The value with the whole bar, for each column of shares. */
export function wholeBars<Row>(columns: readonly ProfileColumn<Row>[], rows: readonly Row[]): Map<string, number> {
  const largest = (value: (row: Row) => CellValue): number =>
    rows.reduce((max, row) => Math.max(max, Number(value(row) ?? 0)), 0);
  const shares = columns.filter(({ type }) => type === "share");
  return new Map(shares.map(({ id, value, wholeBar }) => [id, wholeBar ?? largest(value)]));
}

export interface Range {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

export function cellText(value: CellValue, type: CellType): string {
  if (value === null) return "n/a";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (value === 0 && (type === "time" || type === "change" || type === "share")) return "–";
  if (type === "time") return timeText(value);
  if (type === "change") return value > 0 ? `+${timeText(value)}` : timeText(value);
  if (type === "bytes") return format.bytes(value);
  if (type === "bandwidth") return `${format.bytes(value)}/s`;
  if (type === "amount") return format.short(Number(value.toPrecision(3)));
  if (type === "share") return percentText(value);
  return type === "percent" ? `${format.count(value, 1)}%` : format.count(value, 2);
}

/** All digits, for the title. */
export function exactText(value: CellValue, type: CellType): string {
  if (typeof value !== "number") return value === null ? "" : cellText(value, type);
  if (type === "time" || type === "change") return `${format.count(value, 0)} ns`;
  if (type === "bandwidth") return `${format.count(value, 0)} B/s`;
  if (type === "amount") return format.count(value, 3);
  return type === "bytes" ? `${format.count(value, 0)} B` : cellText(value, type);
}

const WIDTHS: Readonly<Record<CellType, number>> = {
  name: 280,
  text: 120,
  count: 76,
  time: 104,
  change: 100,
  bytes: 92,
  bandwidth: 100,
  amount: 92,
  percent: 92,
  share: 132,
  flag: 96,
  range: 132,
};

export function gridColumn<Row>({ id, title, hint, type, widthPx, isElastic }: ProfileColumn<Row>): GridColumn {
  return {
    id,
    title,
    hint: hint ?? title,
    type: type === "name" || type === "text" ? "text" : "number",
    widthPx: widthPx ?? WIDTHS[type],
    isElastic: isElastic ?? (type !== "flag" && type !== "range"),
  };
}

/** Where times lie between the shortest and the longest of all rows, 0 to 1: by their size, as they span decades. */
export function rangeScale(ranges: readonly Range[]): (ns: number) => number {
  const low = Math.log(
    Math.max(
      1,
      ranges.reduce((least, { min }) => Math.min(least, min), Infinity),
    ),
  );
  const high = Math.log(ranges.reduce((most, { max }) => Math.max(most, max), 1));
  return (ns) => (high > low ? (Math.log(Math.max(1, ns)) - low) / (high - low) : 0.5);
}
