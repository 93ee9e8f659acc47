/** Conditions of a slice, in the address, as people read them, and as tests of rows. */

import { parseJson } from "$public/core";
import { cellText } from "$public/tables";
import type { ColumnValues } from "../requests";
import type { Condition } from "../wire";

/** Reads what `textOfConditions` wrote; anything else is no condition. */
export function conditionsOfText(text: string | undefined): readonly Condition[] {
  const parsed = text === undefined ? null : parseJson(text);
  return Array.isArray(parsed) ? parsed.filter(isCondition) : [];
}

export function textOfConditions(conditions: readonly Condition[]): string | undefined {
  return conditions.length === 0 ? undefined : JSON.stringify(conditions);
}

function isCondition(value: unknown): value is Condition {
  return typeof value === "object" && value !== null && typeof (value as Condition).column === "string";
}

/** What people read: its label, or one made from its parts. */
export function conditionLabel({ column, values, at_least, below, label }: Condition): string {
  if (label) return label;
  if (values && values.length > 0) return `${column} = ${values.join(" or ")}`;
  const [low, high] = [at_least ?? null, below ?? null];
  if (low !== null && high !== null) return `${column} ${cellText.number(low)} to ${cellText.number(high)}`;
  if (low !== null) return `${column} ≥ ${cellText.number(low)}`;
  return high !== null ? `${column} < ${cellText.number(high)}` : column;
}

/** A test of rows: one of the names ("" is a missing value), or in the range. */
export function matchesCondition(column: ColumnValues, condition: Condition): (row: number) => boolean {
  const { values, names } = column;
  const wanted = condition.values ?? [];
  if (wanted.length > 0) {
    const takesMissing = wanted.includes("");
    const codes = new Set(wanted.filter((name) => name !== "").map((name) => codeOf(column, name)));
    return (row) => {
      const value = values[row]!;
      const isMissing = Number.isNaN(value) || (names.length > 0 && value < 0);
      return isMissing ? takesMissing : codes.has(value);
    };
  }
  const low = condition.at_least ?? -Infinity;
  const high = condition.below ?? Infinity;
  return (row) => values[row]! >= low && values[row]! < high;
}

/** Booleans and numbers are their own codes. */
function codeOf({ names, type }: ColumnValues, name: string): number {
  if (type === "boolean") return Number(name === "true");
  return names.length > 0 ? names.indexOf(name) : Number(name);
}
