/** Dimension: the values of a field as positions along an axis, for every row. */

import { chartAxes, type Range } from "$public/charts";
import type { ColumnValues } from "../../requests";

export interface Dimension {
  readonly label: string;
  /** Names lie at 0, 1, 2 …, spread by chance; NaN where the value is missing. */
  readonly positions: Float32Array;
  readonly range: Range;
  /** Of an axis of names, in order; empty for numbers. */
  readonly names: readonly string[];
}

export const MAX_NAMES = 24;
const OTHER = "other";
const SPREAD = 0.32;
const STRIP_BINS = 8;
const MAX_WHOLE_NUMBERS = 150;

/** Between −1 and 1, the same for a row every time: points must not move when something else changes. */
export function chance(row: number): number {
  let state = (row + 1) * 0x9e3779b1;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 0x7fffffff - 1;
}

/** The names of a column with codes or of yes and no; empty for numbers. */
export function namesOf({ type, names }: ColumnValues): readonly string[] {
  return type === "boolean" ? ["false", "true"] : names;
}

/** Names beyond the limit are one: "other". */
export function shownNames(names: readonly string[], limit = MAX_NAMES): readonly string[] {
  return names.length <= limit ? names : [...names.slice(0, limit - 1), OTHER];
}

export function dimensionOf(column: ColumnValues, label: string): Dimension {
  const names = namesOf(column);
  if (column.type === "number" || names.length === 0)
    return { label, positions: numberPositions(column.values), range: rangeOf(column.values, label), names: [] };
  const shown = shownNames(names);
  const last = shown.length - 1;
  const positions = Float32Array.from(column.values, (code, row) =>
    code >= 0 ? Math.min(code, last) + SPREAD * chance(row) : NaN,
  );
  return { label, positions, range: { from: -0.5, to: last + 0.5 }, names: shown };
}

/** A few whole numbers would be stripes of points that hide each other: they are spread, too. */
function numberPositions(values: Float32Array | Int32Array): Float32Array {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return Float32Array.from(values);
    [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  if (high - low > MAX_WHOLE_NUMBERS) return Float32Array.from(values);
  return Float32Array.from(values, (value, row) => value + SPREAD * chance(row));
}

/** Probabilities have all of 0 to 1, so that pictures of two slices can be compared. */
function rangeOf(values: ArrayLike<number>, label: string): Range {
  let [from, to] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row]!;
    if (value < from && Number.isFinite(value)) from = value;
    if (value > to && Number.isFinite(value)) to = value;
  }
  if (from > to) return { from: 0, to: 1 };
  if (label.startsWith("P(") && from >= 0 && to <= 1) return { from: 0, to: 1 };
  const drawn = chartAxes.drawable(chartAxes.LINEAR, { from, to });
  const air = (drawn.to - drawn.from) * 0.02;
  return { from: drawn.from - air, to: drawn.to + air };
}

/** For strips: numbers are cut into bins of equal width, and every bin is a name. */
export function stripDimension(column: ColumnValues | null, label: string, count: number): Dimension {
  if (column === null) {
    const positions = Float32Array.from({ length: count }, (_, row) => SPREAD * chance(row));
    return { label: "", positions, range: { from: -0.5, to: 0.5 }, names: [""] };
  }
  if (column.type !== "number") return dimensionOf(column, label);
  const { from, to } = rangeOf(column.values, "");
  const edges = chartAxes.ticks(chartAxes.LINEAR, { from, to }, STRIP_BINS).map(({ value }) => value);
  const names = binNames(edges);
  const positions = Float32Array.from(column.values, (value, row) =>
    Number.isNaN(value) ? NaN : binAt(edges, value) + SPREAD * chance(row),
  );
  return { label, positions, range: { from: -0.5, to: names.length - 0.5 }, names };
}

/** The bin of a value between inner edges: 0 is below the first one. */
export function binAt(edges: readonly number[], value: number): number {
  let bin = 0;
  while (bin < edges.length && value >= edges[bin]!) bin += 1;
  return bin;
}

/** "< 20", "20 to 40", "≥ 40" */
export function binNames(edges: readonly number[]): readonly string[] {
  const text = (value: number): string => chartAxes.label(value, Infinity);
  if (edges.length === 0) return ["all"];
  const between = edges.slice(1).map((edge, at) => `${text(edges[at]!)} to ${text(edge)}`);
  return [`< ${text(edges[0]!)}`, ...between, `≥ ${text(edges.at(-1)!)}`];
}
