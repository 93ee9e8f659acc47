/** What is right and wrong at a threshold, from the counts that the server sent, with the same intervals as the server. */

import type { Difference, Rate, SlicePerformance } from "../wire";

export interface Confusion {
  readonly truePositives: number;
  readonly falseNegatives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
}

/** Of a normal distribution: 95 % lie within so many deviations. */
const Z = 1.959963984540054;
/** Below so many rows a rate says little. */
export const FEW_ROWS = 30;

/** The index of the first threshold that is at least `threshold`; one behind the last if none is. */
export function thresholdIndex(thresholds: readonly number[], threshold: number): number {
  let low = 0;
  let high = thresholds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // Thresholds are decimals: 0.3 of a slider and 0.3 of the server may differ in the last bit.
    if (thresholds[middle]! < threshold - 1e-9) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function confusionAt(slice: SlicePerformance, index: number): Confusion {
  const truePositives = slice.counts.true_positives[index] ?? 0;
  const falsePositives = slice.counts.false_positives[index] ?? 0;
  return {
    truePositives,
    falsePositives,
    falseNegatives: slice.positives - truePositives,
    trueNegatives: slice.negatives - falsePositives,
  };
}

export function sumOf(parts: readonly Confusion[]): Confusion {
  const sum = (name: keyof Confusion): number => parts.reduce((total, part) => total + part[name], 0);
  return {
    truePositives: sum("truePositives"),
    falseNegatives: sum("falseNegatives"),
    falsePositives: sum("falsePositives"),
    trueNegatives: sum("trueNegatives"),
  };
}

export const rowsOf = (one: Confusion): number =>
  one.truePositives + one.falseNegatives + one.falsePositives + one.trueNegatives;

/** Of 1,000 rows; a false positive costs 1. Null without rows. */
export function costOf(one: Confusion, costRatio: number): number | null {
  const rows = rowsOf(one);
  return rows === 0 ? null : ((one.falsePositives + costRatio * one.falseNegatives) / rows) * 1000;
}

export const f1Of = (one: Confusion): number | null =>
  one.truePositives + one.falsePositives + one.falseNegatives === 0
    ? null
    : (2 * one.truePositives) / (2 * one.truePositives + one.falsePositives + one.falseNegatives);

/** A share with its Wilson interval. */
export function rateOf(count: number, of: number): Rate {
  if (of === 0) return { count, of, value: null, low: null, high: null };
  const share = count / of;
  const spread = 1 + (Z * Z) / of;
  const centre = (share + (Z * Z) / (2 * of)) / spread;
  const half = (Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))) / spread;
  return { count, of, value: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

export const truePositiveRate = (one: Confusion): Rate =>
  rateOf(one.truePositives, one.truePositives + one.falseNegatives);

export const falsePositiveRate = (one: Confusion): Rate =>
  rateOf(one.falsePositives, one.falsePositives + one.trueNegatives);

/** The difference of two shares with its interval by Newcombe's method, which combines the Wilson intervals of both. */
export function differenceOf(a: Rate, b: Rate): Difference {
  if (a.value === null || b.value === null) return { value: null, low: null, high: null };
  const value = a.value - b.value;
  return {
    value,
    low: value - Math.hypot(a.value - a.low!, b.high! - b.value),
    high: value + Math.hypot(a.high! - a.value, b.value - b.low!),
  };
}
