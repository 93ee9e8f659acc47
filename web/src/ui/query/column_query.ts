/** A query over the columns of a table: completion of their names, and where an error is. */

import { QueryError } from "../../data/table";

interface ColumnEntry {
  readonly name: string;
  readonly type: string;
}

interface Completion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly { readonly text: string; readonly kind: string; readonly detail: string }[];
}

const MAX_OPTIONS = 50;

/** The columns that begin with the word before the cursor; positions count characters, not UTF-16 units. */
export function completeColumn(columns: readonly ColumnEntry[], text: string, cursor: number): Completion {
  const before = [...text].slice(0, cursor).join("");
  const word = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before)?.[0] ?? "";
  const found = columns.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase())).slice(0, MAX_OPTIONS);
  return {
    from: cursor - [...word].length,
    to: cursor,
    options: found.map(({ name, type }) => ({ text: columnTerm(name), kind: "column", detail: type })),
  };
}

/** A column in a query: by its name, in backticks if that is no word. */
export const columnTerm = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `\`${name}\``);

/** A failure that names a position is underlined there. */
export function asQueryError(failure: Error | null): Error | null {
  const { at, length } = (failure as { details?: { at?: unknown; length?: unknown } } | null)?.details ?? {};
  if (!failure || typeof at !== "number") return failure;
  return new QueryError(failure.message, at, typeof length === "number" ? length : 1);
}
