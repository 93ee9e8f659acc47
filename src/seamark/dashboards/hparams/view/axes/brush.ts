/** What is picked on the axes: conditions by column, such as ranges of numbers, words, missing values. A trial is inside when every brushed axis holds it. */

import type { Condition } from "$public/tables";
import { MISSING, NON_FINITE, isNumeric, type TrialColumn } from "../columns/columns";

export type Brush = ReadonlyMap<string, readonly Condition[]>;

export const NO_BRUSH: Brush = new Map();
export const NON_FINITE_WORD = "NaN";

/** As it stands in the address: JSON, since names of columns and words hold any sign. */
export function writeBrush(brush: Brush): string | undefined {
  return brush.size === 0 ? undefined : JSON.stringify(Object.fromEntries(brush));
}

/** What somebody typed may be anything: what is no brush is left out. */
export function readBrush(text: string | undefined): Brush {
  if (text === undefined) return NO_BRUSH;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return NO_BRUSH;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return NO_BRUSH;
  const found = Object.entries(parsed).map(
    ([id, picks]) => [id, Array.isArray(picks) ? picks.filter(isCondition) : []] as const,
  );
  return new Map(found.filter(([, picks]) => picks.length > 0));
}

function isCondition(value: unknown): value is Condition {
  if (value === null || typeof value === "string") return true;
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [low, high] = value as unknown[];
  return typeof low === "number" && typeof high === "number" && low <= high;
}

/** With `add`, beside what is picked on that axis already; ranges that touch become one. */
export function brushed(brush: Brush, id: string, picks: readonly Condition[], add = false): Brush {
  const next = new Map(brush);
  const joined = joinRanges(add ? [...(brush.get(id) ?? []), ...picks] : picks);
  if (joined.length === 0) next.delete(id);
  else next.set(id, joined);
  return next;
}

export function without(brush: Brush, id: string): Brush {
  const next = new Map(brush);
  next.delete(id);
  return next;
}

function joinRanges(picks: readonly Condition[]): Condition[] {
  const ranges = picks.filter((pick) => Array.isArray(pick)).sort((a, b) => a[0] - b[0]);
  const others = [...new Set(picks.filter((pick) => !Array.isArray(pick)))];
  const joined: [number, number][] = [];
  for (const [low, high] of ranges) {
    const last = joined.at(-1);
    if (last && low <= last[1]) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return [...joined, ...others];
}

/** Narrows `inside` (1 is inside) by one axis. */
export function narrow(inside: Uint8Array, column: TrialColumn, picks: readonly Condition[]): void {
  const { numbers, states, categories } = column;
  const blank = picks.includes(null);
  const broken = isNumeric(column.type) && picks.includes(NON_FINITE_WORD);
  const ranges = picks.filter((pick) => Array.isArray(pick));
  const words = categories?.map((word) => picks.includes(word));
  for (let row = 0; row < inside.length; row += 1) {
    if (inside[row] === 0) continue;
    const state = states[row];
    const number = numbers[row]!;
    const holds =
      state === MISSING
        ? blank
        : state === NON_FINITE
          ? broken
          : words
            ? words[number]!
            : ranges.some(([low, high]) => number >= low && number <= high);
    if (!holds) inside[row] = 0;
  }
}

/** 1 for every row that all brushed columns hold. A brush on a column that is not there counts for nothing. */
export function insideOf(brush: Brush, columns: ReadonlyMap<string, TrialColumn>, rows: number): Uint8Array {
  const inside = new Uint8Array(rows).fill(1);
  for (const [id, picks] of brush) {
    const column = columns.get(id);
    if (column) narrow(inside, column, picks);
  }
  return inside;
}

export function countOf(inside: Uint8Array): number {
  let count = 0;
  for (const one of inside) count += one;
  return count;
}
