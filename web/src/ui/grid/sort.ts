/** The order of a table: by one column or several, each up or down. */

import { byName } from "../../base/tags";
import type { Cell } from "../../data/table";

export interface SortTerm {
  readonly id: string;
  readonly descending: boolean;
}

/**
 * A click sorts by one column: up, down, not at all, or down first. With Shift it joins the others, or changes its own
 * term.
 */
export function nextSort(
  sort: readonly SortTerm[],
  id: string,
  joins = false,
  isDescendingFirst = false,
): readonly SortTerm[] {
  const term = sort.find((each) => each.id === id);
  const isLast = term !== undefined && term.descending !== isDescendingFirst;
  const next = isLast ? null : { id, descending: term ? !term.descending : isDescendingFirst };
  if (!joins) return next ? [next] : [];
  if (!term) return [...sort, next!];
  return sort.flatMap((each) => (each.id !== id ? [each] : next ? [next] : []));
}

export const writeSort = (sort: readonly SortTerm[]): string[] =>
  sort.map(({ id, descending }) => (descending ? `-${id}` : id));
export const readSort = (terms: readonly string[]): SortTerm[] =>
  terms
    .filter((term) => term !== "" && term !== "-")
    .map((term) => (term.startsWith("-") ? { id: term.slice(1), descending: true } : { id: term, descending: false }));

/** For `aria-sort`. */
export function ariaSort(sort: readonly SortTerm[], id: string): "ascending" | "descending" | "none" {
  const term = sort.find((each) => each.id === id);
  return !term ? "none" : term.descending ? "descending" : "ascending";
}

/** As the server orders: numbers before text, blanks and NaN last either way, equal rows as they were. */
export function sorted<Row>(
  rows: readonly Row[],
  sort: readonly SortTerm[],
  cellOf: (row: Row, id: string) => Cell | undefined,
): Row[] {
  return [...rows].sort((a, b) => {
    for (const { id, descending } of sort) {
      const order = compareCells(cellOf(a, id), cellOf(b, id), descending ? -1 : 1);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function compareCells(a: Cell | undefined, b: Cell | undefined, sign: number): number {
  const [first, second] = [isBlank(a), isBlank(b)];
  if (first || second) return Number(first) - Number(second);
  if (typeof a === "number" && typeof b === "number") return a === b ? 0 : (a < b ? -1 : 1) * sign;
  if (typeof a === "number" || typeof b === "number") return (typeof a === "number" ? -1 : 1) * sign;
  return byName(String(a), String(b)) * sign;
}

const isBlank = (value: Cell | undefined): boolean => value === null || value === undefined || Number.isNaN(value);
