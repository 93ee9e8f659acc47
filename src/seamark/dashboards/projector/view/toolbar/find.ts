/** What a person types to find points: text, /regex/, column:text or column:/regex/. */

import { messageOf } from "$public/core";

export interface FindRequest {
  readonly text: string;
  /** "": any column. */
  readonly column: string;
  readonly is_regex: boolean;
}

/** Null if there is nothing to search for. A column is named by its exact name, or else in any case. */
export function parseFind(typed: string, columns: readonly string[]): FindRequest | null {
  const { column, rest } = splitColumn(typed.trim(), columns);
  if (rest === "") return null;
  const regex = /^\/(.+)\/$/.exec(rest);
  return { text: regex ? regex[1]! : rest, column, is_regex: regex !== null };
}

/** Why the server would reject a regular expression, or "". It has Python's syntax: flags in front, and named groups. */
export function regexError({ text, is_regex }: FindRequest): string {
  if (!is_regex) return "";
  try {
    new RegExp(text.replace(/^\(\?[aimsux]+\)/, "").replaceAll("(?P<", "(?<"));
    return "";
  } catch (failure) {
    return messageOf(failure);
  }
}

function splitColumn(typed: string, columns: readonly string[]): { column: string; rest: string } {
  const startsWith = (name: string): boolean => typed.startsWith(`${name}:`);
  const startsLike = (name: string): boolean => typed.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  // A name may hold a colon itself: the longest one counts.
  const byLength = columns.toSorted((a, b) => b.length - a.length);
  const column = byLength.find(startsWith) ?? byLength.find(startsLike);
  return column === undefined
    ? { column: "", rest: typed }
    : { column, rest: typed.slice(column.length + 1).trimStart() };
}
