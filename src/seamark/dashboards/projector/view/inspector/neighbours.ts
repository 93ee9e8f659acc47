/** The list of neighbours as it is drawn: bars, marks, and the histogram of distances. */

import { format } from "$public/core";
import type { Neighbours } from "../wire";

/** Near in the picture too, farther away there, torn apart by it, or not in it. */
export type Mark = "kept" | "farther" | "torn" | "absent";

/** A neighbour is torn away if so many times as many rows are nearer in the picture. */
const TORN_FACTOR = 10;

export interface NeighbourRow {
  readonly row: number;
  readonly label: string;
  /** Rows may have equal labels; "" if the label is the row. */
  readonly rowText: string;
  readonly distance: string;
  /** From 0 to 1. */
  readonly bar: number;
  readonly mark: Mark;
  /** What the mark means, with the rank in the picture. */
  readonly title: string;
}

export function neighbourRows({ rows, labels, distances, picture_ranks }: Neighbours): NeighbourRow[] {
  const bars = barsOf(distances);
  return rows.map((row, at) => {
    const rank = picture_ranks[at] ?? 0;
    const mark = markOf(rank, rows.length);
    return {
      row,
      label: labels[at] || `row ${format.count(row)}`,
      rowText: labels[at] ? format.count(row) : "",
      distance: distanceText(distances[at]!),
      bar: bars[at]!,
      mark,
      title: titleOf(mark, rank),
    };
  });
}

/** `rank`: in the picture, from 1; 0 for a row that is not in it. */
export function markOf(rank: number, count: number): Mark {
  if (rank === 0) return "absent";
  return rank <= count ? "kept" : rank <= TORN_FACTOR * count ? "farther" : "torn";
}

function titleOf(mark: Mark, rank: number): string {
  if (mark === "absent") return "Not in the picture";
  const place = `neighbour ${format.count(rank)} in the picture`;
  return `${{ kept: "Near in the picture too", farther: "Farther away in the picture", torn: "Torn apart by the picture" }[mark]}: ${place}`;
}

/** Shares of the largest one; from the smallest one on if some are negative, as dot products are. */
export function barsOf(distances: readonly number[]): number[] {
  const finite = distances.filter((distance) => Number.isFinite(distance));
  const low = Math.min(0, ...finite);
  const span = Math.max(...finite) - low;
  return distances.map((distance) => (span > 0 && Number.isFinite(distance) ? (distance - low) / span : 0));
}

/** Five characters or so. */
export function distanceText(distance: number): string {
  const size = Math.abs(distance);
  if (!Number.isFinite(distance)) return format.value(distance);
  if (size >= 1000) return format.short(distance);
  const text =
    size !== 0 && size < 0.001 ? distance.toExponential(1) : distance.toFixed(size < 10 ? 3 : size < 100 ? 2 : 1);
  return text.replace(/-/g, "−");
}

export interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** From 0 to 1, by the square root: the few near rows stay visible beside the many far ones. */
  readonly height: number;
}

export interface DistanceHistogram {
  readonly bars: readonly HistogramBar[];
  readonly low: number;
  readonly high: number;
}

/** Null if there is nothing to draw. */
export function distanceHistogram({ histogram_counts, histogram_edges }: Neighbours): DistanceHistogram | null {
  const top = Math.max(0, ...histogram_counts);
  const [low, high] = [histogram_edges[0], histogram_edges.at(-1)];
  if (top === 0 || low === undefined || high === undefined) return null;
  const bars = histogram_counts.map((count, at) => ({
    from: histogram_edges[at]!,
    to: histogram_edges[at + 1]!,
    count,
    height: Math.sqrt(count / top),
  }));
  return { bars, low, high };
}

/** "exact, all 49,999 rows · 11 ms" */
export const comparedText = ({ compared, secs }: Neighbours): string =>
  `exact, all ${format.counted(compared, "row")} · ${Math.max(1, Math.round(secs * 1e3))} ms`;
