/** Rows in the order of one or more columns. */

import { tagNames } from "$public/core";

/** By row: what to order by. NaN is missing, and last in either direction. */
export interface OrderTerm {
  readonly keys: ArrayLike<number>;
  readonly descending: boolean;
}

/** A new list; rows with equal keys stay in their order. */
export function orderedRows(rows: Uint32Array, terms: readonly OrderTerm[]): Uint32Array {
  if (terms.length === 0) return rows;
  return rows.slice().sort((a, b) => {
    for (const { keys, descending } of terms) {
      const [first, second] = [keys[a] ?? NaN, keys[b] ?? NaN];
      if (first === second) continue;
      const [isFirstMissing, isSecondMissing] = [Number.isNaN(first), Number.isNaN(second)];
      if (isFirstMissing && isSecondMissing) continue;
      if (isFirstMissing || isSecondMissing) return isFirstMissing ? 1 : -1;
      return first < second === descending ? 1 : -1;
    }
    return 0;
  });
}

/** By code: its rank in the order of the names; numbers within them count as numbers. */
export function ranksOf(names: readonly string[]): Float64Array {
  const ranks = new Float64Array(names.length);
  names
    .map((name, code) => ({ name, code }))
    .sort((a, b) => tagNames.compare(a.name, b.name))
    .forEach(({ code }, rank) => (ranks[code] = rank));
  return ranks;
}

/** By row: the rank of its category, NaN where it has none. */
export function categoryKeys(codes: ArrayLike<number>, names: readonly string[]): Float64Array {
  const ranks = ranksOf(names);
  return Float64Array.from(codes, (code) => ranks[code] ?? NaN);
}

/** The same for texts of some rows: the keys of all others are missing. */
export function textKeys(rows: ArrayLike<number>, texts: readonly string[], total: number): Float64Array {
  const ranks = ranksOf(texts);
  const keys = new Float64Array(total).fill(NaN);
  for (let at = 0; at < rows.length; at += 1) if (texts[at] !== "") keys[rows[at]!] = ranks[at]!;
  return keys;
}
