/** One run as the table has it: what the server tells, and what people decided about it. */

import { byName } from "../../base/tags";
import type { Run, RunNotes } from "../../data/api";
import { withoutTail } from "./names";

export interface RunEntry {
  readonly name: string;
  /** Without the tail that all runs share; this is what folders are made of. */
  readonly path: string;
  /** Given by a person, or the path. */
  readonly label: string;
  readonly run: Run;
  readonly notes: RunNotes;
}

const NO_NOTES: RunNotes = {};

export function entryOf(run: Run, notes: RunNotes | undefined, tail: string): RunEntry {
  const path = withoutTail(run.name, tail);
  return { name: run.name, path, label: notes?.label || path, run, notes: notes ?? NO_NOTES };
}

export type SortKey = "name" | "value" | "points" | "start" | "last";
export interface Order {
  readonly key: SortKey | null;
  readonly descending: boolean;
}

export function readOrder(text: string | undefined): Order {
  const key = text?.replace(/^-/, "") as SortKey | undefined;
  const isKnown = key !== undefined && ["name", "value", "points", "start", "last"].includes(key);
  return { key: isKnown ? key : null, descending: isKnown && text!.startsWith("-") };
}

export const writeOrder = ({ key, descending }: Order): string | undefined =>
  key ? (descending ? "-" : "") + key : undefined;

/** A click on a column: ascending, then descending, then as it was. */
export function nextOrder(order: Order, key: SortKey): Order {
  if (order.key !== key) return { key, descending: false };
  return order.descending ? { key: null, descending: false } : { key, descending: true };
}

/** The place of each name in their order. Comparing names as people do is slow: it is done when names change, not when data comes. */
export function rankNames(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...names].sort(byName).map((name, rank) => [name, rank]));
}

export interface Sorting {
  readonly order: Order;
  readonly ranks: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, number>;
}

/** Starred runs come first. Without an order the table goes by name; what has no value comes last either way. */
export function sortEntries(entries: readonly RunEntry[], { order, ranks, values }: Sorting): RunEntry[] {
  const sign = order.descending ? -1 : 1;
  const rankSign = order.key === "name" ? sign : 1;
  const keyed = entries.map((entry) => ({
    entry,
    value: valueFor(entry, order.key, values),
    rank: ranks.get(entry.name) ?? 0,
    isPlain: entry.notes.star ? 0 : 1,
  }));
  keyed.sort((a, b) => a.isPlain - b.isPlain || compare(a.value, b.value, sign) || (a.rank - b.rank) * rankSign);
  return keyed.map(({ entry }) => entry);
}

function valueFor({ name, run }: RunEntry, key: SortKey | null, values: ReadonlyMap<string, number>): number | null {
  if (key === "points") return run.points;
  if (key === "start") return run.first_wall;
  if (key === "last") return run.last_wall;
  if (key !== "value") return 0;
  const value = values.get(name);
  return value === undefined || Number.isNaN(value) ? null : value;
}

function compare(a: number | null, b: number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : (a < b ? -1 : 1) * sign;
}
