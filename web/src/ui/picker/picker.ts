/** What a picker lists for what was typed, and where the arrow keys go. */

import { escapePattern, parseFilter } from "../../base/patterns.svelte";
import { namePattern } from "../../base/query_text";

export interface PickerMatches {
  readonly values: readonly string[];
  /** Why the text filters nothing; "" where it does. */
  readonly error: string;
}

/**
 * The values that match by their own name or by their label, with the filter of the runs table. An expression such as
 * "lr < 0.1" needs the server and is taken as part of a name here.
 */
export function matchValues(
  values: readonly string[],
  query: string,
  labelOf: (value: string) => string,
): PickerMatches {
  const { matches, error } = parseFilter(namePattern(query) ?? escapePattern(query.trim()));
  return { values: values.filter((value) => matches(value) || matches(labelOf(value))), error };
}

/** The index after a key was pressed; null for a key that moves nothing. At either end it stays. */
export function movedIndex(
  key: string,
  active: number,
  { count, page }: { readonly count: number; readonly page: number },
): number | null {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[key];
  return by === undefined ? null : Math.max(0, Math.min(active + by, count - 1));
}

const END_CHARS = 20;

/** A label in two parts: where it is too long, its start is cut, because long names of runs differ at their ends. */
export function splitLabel(label: string): readonly [start: string, end: string] {
  const chars = [...label];
  return chars.length <= 2 * END_CHARS
    ? [label, ""]
    : [chars.slice(0, -END_CHARS).join(""), chars.slice(-END_CHARS).join("")];
}
