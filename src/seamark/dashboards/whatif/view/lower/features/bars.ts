/** The bars of a feature's small chart: bins of a number, or its most frequent values. */

import { format } from "$public/core";
import type { FeatureStatistics } from "../../wire";

export interface Bar {
  readonly index: number;
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly count: number;
  /** The share of the other rows; null without any. */
  readonly other: number | null;
  /** 0 to 1. */
  readonly height: number;
  readonly otherHeight: number | null;
}

const MAX_VALUES = 12;

export function barsOf(feature: FeatureStatistics, otherRows: number): readonly Bar[] {
  const parts = feature.edges.length > 1 ? bins(feature) : values(feature);
  const rows = Math.max(1, feature.rows - feature.missing);
  const share = (count: number): number => count / rows;
  const otherShare = (count: number): number => count / Math.max(1, otherRows);
  const highest = Math.max(
    ...parts.map(({ count, other }) => Math.max(share(count), otherRows > 0 ? otherShare(other) : 0)),
    1e-9,
  );
  return parts.map(({ count, other, ...names }, index) => ({
    ...names,
    index,
    count,
    other: otherRows > 0 ? otherShare(other) : null,
    height: share(count) / highest,
    otherHeight: otherRows > 0 ? otherShare(other) / highest : null,
  }));
}

interface Part {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly count: number;
  readonly other: number;
}

function bins({ edges, histogram, other_histogram }: FeatureStatistics): readonly Part[] {
  return histogram.map((count, i) => {
    const [start, end] = [format.short(edges[i]!), format.short(edges[i + 1]!)];
    return { name: `${start} to ${end}`, start, end, count, other: other_histogram[i] ?? 0 };
  });
}

function values({ top }: FeatureStatistics): readonly Part[] {
  return top.slice(0, MAX_VALUES).map(({ name, count, other }) => {
    const shown = name === "" ? "missing" : name;
    return { name: shown, start: shown, end: shown, count, other };
  });
}
