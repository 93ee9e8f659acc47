/** One run as the table has it: what the server sends, and what people decided about it. */

import { byName } from "../../base/tags";
import type { Run, RunNotes } from "../../data/api";
import { readSort, type SortTerm } from "../../ui/grid/sort";
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

const SORT_KEYS = ["name", "value", "points", "start", "last"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** The order in the address: by one column at most. */
export const readRunSort = (text: string | undefined): SortTerm[] =>
  readSort([text ?? ""]).filter(({ id }) => (SORT_KEYS as readonly string[]).includes(id));

/** The rank of each name. Comparing names as people do is slow: it is done when names change, not when data does. */
export function rankNames(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...names].sort(byName).map((name, rank) => [name, rank]));
}

export interface Sorting {
  readonly sort: readonly SortTerm[];
  readonly ranks: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, number>;
}

/** Starred runs come first. Without an order the table goes by name; what has no value comes last either way. */
export function sortEntries(entries: readonly RunEntry[], { sort: [term], ranks, values }: Sorting): RunEntry[] {
  const sign = term?.descending ? -1 : 1;
  const rankSign = term?.id === "name" ? sign : 1;
  const keyed = entries.map((entry) => ({
    entry,
    value: valueFor(entry, term?.id, values),
    rank: ranks.get(entry.name) ?? 0,
    isPlain: entry.notes.star ? 0 : 1,
  }));
  keyed.sort((a, b) => a.isPlain - b.isPlain || compare(a.value, b.value, sign) || (a.rank - b.rank) * rankSign);
  return keyed.map(({ entry }) => entry);
}

function valueFor(
  { name, run }: RunEntry,
  key: string | undefined,
  values: ReadonlyMap<string, number>,
): number | null {
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
