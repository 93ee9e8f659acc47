/** The order of rows by a column: numbers by size, names by the alphabet; missing values are last. */

import type { ColumnValues } from "../../requests";

export function orderedRows(rows: Uint32Array, column: ColumnValues | null, isDescending: boolean): Uint32Array {
  if (column === null) return isDescending ? rows.toReversed() : rows;
  const rank = column.names.length > 0 ? nameRanks(column.names) : null;
  const keyOf = (row: number): number => {
    const value = column.values[row]!;
    return rank ? (value < 0 ? NaN : rank[value]!) : value;
  };
  const keys = Float64Array.from(rows, keyOf);
  const places = Uint32Array.from(rows.keys());
  const sign = isDescending ? -1 : 1;
  places.sort((a, b) => {
    const [left, right] = [keys[a]!, keys[b]!];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a - b;
    return sign * (left - right) || a - b;
  });
  return places.map((place) => rows[place]!);
}

/** By code: the position of its name in the alphabet. */
function nameRanks(names: readonly string[]): Float64Array {
  const sorted = [...names.keys()].sort((a, b) => names[a]!.localeCompare(names[b]!, "en", { numeric: true }));
  const ranks = new Float64Array(names.length);
  sorted.forEach((code, rank) => (ranks[code] = rank));
  return ranks;
}
