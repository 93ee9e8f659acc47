/** What a set of rows consists of, by the values of one column. */

import type { MetadataColumn } from "../wire";

export interface MixPart {
  readonly name: string;
  /** The position among the column's names; −1 for the rest and for rows without a value. */
  readonly code: number;
  readonly count: number;
}

/** The most frequent categories, then all others as one part, then the rows without a value. */
export function mixOf(rows: Uint32Array, { values, names }: MetadataColumn, maxParts: number): readonly MixPart[] {
  const counts = new Uint32Array(names.length);
  let missing = 0;
  for (const row of rows) {
    const code = values[row] ?? -1;
    if (code < 0) missing += 1;
    else counts[code]! += 1;
  }
  const parts = names
    .map((name, code) => ({ name, code, count: counts[code]! }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const rest = parts.slice(maxParts);
  const others = rest.reduce((sum, { count }) => sum + count, 0);
  return [
    ...parts.slice(0, maxParts),
    ...(others > 0 ? [{ name: `${rest.length} others`, code: -1, count: others }] : []),
    ...(missing > 0 ? [{ name: "no value", code: -1, count: missing }] : []),
  ];
}

export interface NumberSpread {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
}

/** Of a column of numbers; null if no row has one. */
export function spreadOf(rows: Uint32Array, { values }: MetadataColumn): NumberSpread | null {
  let [low, high, sum, count] = [Infinity, -Infinity, 0, 0];
  for (const row of rows) {
    const value = values[row];
    if (value === undefined || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
    count += 1;
  }
  return count === 0 ? null : { low, mean: sum / count, high };
}

/** Placed rows that are shown. */
export function countShown(x: Float32Array, visible: Uint8Array | null): number {
  let count = 0;
  for (let row = 0; row < x.length; row += 1)
    if (!Number.isNaN(x[row]!) && (!visible || visible[row] === 1)) count += 1;
  return count;
}
