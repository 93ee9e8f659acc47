/** Edits of a row, one after the other, as the address and the history have them. */

import { format, parseJson } from "$public/core";
import type { Cell, ColumnEntry } from "../../wire";

export interface Edit {
  readonly feature: string;
  readonly value: Cell;
}

/** A row with edits; a set may have several of the same row. */
export interface EditedPoint {
  readonly row: number;
  readonly edits: readonly Edit[];
}

export type Values = Readonly<Record<string, Cell>>;

/** The values after the first `count` edits. */
export function valuesAfter(edits: readonly Edit[], own: Values, count = edits.length): Values {
  const values: Record<string, Cell> = {};
  for (const { feature, value } of edits.slice(0, count)) {
    if (value === own[feature]) delete values[feature];
    else values[feature] = value;
  }
  return values;
}

/** Typing into one field is one edit: a further value of the last edited feature replaces the last edit. */
export function withEdit(edits: readonly Edit[], edit: Edit, own: Values): readonly Edit[] {
  const last = edits.at(-1);
  const before = last?.feature === edit.feature ? edits.slice(0, -1) : edits;
  const value = valuesAfter(before, own)[edit.feature];
  const known = value === undefined ? own[edit.feature] : value;
  return known === edit.value ? before : [...before, edit];
}

/** One edit for each value that differs. */
export const withValues = (edits: readonly Edit[], values: Values, own: Values): readonly Edit[] =>
  Object.entries(values).reduce((made, [feature, value]) => withSeparateEdit(made, { feature, value }, own), edits);

function withSeparateEdit(edits: readonly Edit[], edit: Edit, own: Values): readonly Edit[] {
  const now = valuesAfter(edits, own);
  const known = edit.feature in now ? now[edit.feature] : own[edit.feature];
  return known === edit.value ? edits : [...edits, edit];
}

// In the address

export const textOfEdits = (edits: readonly Edit[]): string | undefined =>
  edits.length === 0 ? undefined : JSON.stringify(edits.map(({ feature, value }) => [feature, value]));

export function editsOfText(text: string | undefined): readonly Edit[] {
  return editsOf(text === undefined ? null : parseJson(text));
}

export const textOfCopies = (copies: readonly EditedPoint[]): string | undefined =>
  copies.length === 0
    ? undefined
    : JSON.stringify(copies.map(({ row, edits }) => [row, edits.map(({ feature, value }) => [feature, value])]));

export function copiesOfText(text: string | undefined): readonly EditedPoint[] {
  const parsed = text === undefined ? null : parseJson(text);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((entry: unknown) => {
    const [row, edits] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return Number.isInteger(row) && (row as number) >= 0 ? [{ row: row as number, edits: editsOf(edits) }] : [];
  });
}

function editsOf(parsed: unknown): readonly Edit[] {
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((entry: unknown) => {
    const [feature, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return typeof feature === "string" && isCell(value) ? [{ feature, value }] : [];
  });
}

const isCell = (value: unknown): value is Cell =>
  value === null || ["number", "boolean", "string"].includes(typeof value);

// As people type and read them

/** What was typed for a column; undefined: it is no value of that type. Empty is a missing value. */
export function parseCell(text: string, column: ColumnEntry): Cell | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return column.type === "text" ? text : null;
  if (column.type !== "number") return text;
  const number = Number(trimmed.replaceAll(",", "").replace("−", "-"));
  return Number.isFinite(number) ? number : undefined;
}

export function textOfCell(value: Cell | undefined): string {
  if (value === null || value === undefined) return "missing";
  if (typeof value === "number") return format.count(value, 6);
  return String(value);
}
