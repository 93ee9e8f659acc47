/** A histogram as small bars: buckets of any width, spread over bars of equal width. */

import type { HistogramBlock } from "$public/charts";

export interface SmallHistogram {
  /** Heights from 0 to 1. */
  readonly bars: readonly number[];
  /** The standard deviation, from the middles of the buckets. */
  readonly deviation: number;
  readonly step: number;
}

type Buckets = Pick<HistogramBlock, "offsets" | "left" | "right" | "count" | "step">;

/** The last histogram of the block; null if it has no values. */
export function smallHistogram(block: Buckets, barCount: number): SmallHistogram | null {
  const row = block.step.length - 1;
  const from = Number(block.offsets[row] ?? 0);
  const to = Number(block.offsets[row + 1] ?? 0);
  const used = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
    .map((at) => ({ left: Number(block.left[at]), right: Number(block.right[at]), count: Number(block.count[at]) }))
    .filter(({ left, right, count }) => count > 0 && Number.isFinite(left) && Number.isFinite(right));
  if (row < 0 || used.length === 0) return null;
  const low = Math.min(...used.map(({ left }) => left));
  const high = Math.max(...used.map(({ right }) => right));
  const heights = new Array<number>(barCount).fill(0);
  for (const bucket of used) spread(bucket, heights, low, high);
  const top = Math.max(...heights);
  return { bars: heights.map((height) => height / top), deviation: deviationOf(used), step: Number(block.step[row]) };
}

interface Bucket {
  readonly left: number;
  readonly right: number;
  readonly count: number;
}

function spread({ left, right, count }: Bucket, heights: number[], low: number, high: number): void {
  const width = (high - low) / heights.length || 1;
  const first = Math.min(heights.length - 1, Math.floor((left - low) / width));
  const last = Math.min(heights.length - 1, Math.max(first, Math.ceil((right - low) / width) - 1));
  if (first === last || right <= left) {
    heights[first]! += count;
    return;
  }
  for (let bar = first; bar <= last; bar += 1) {
    const shared = Math.min(right, low + (bar + 1) * width) - Math.max(left, low + bar * width);
    heights[bar]! += (count * Math.max(0, shared)) / (right - left);
  }
}

function deviationOf(buckets: readonly Bucket[]): number {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const mean = buckets.reduce((sum, { left, right, count }) => sum + ((left + right) / 2) * count, 0) / total;
  return Math.sqrt(
    buckets.reduce((sum, { left, right, count }) => sum + ((left + right) / 2 - mean) ** 2 * count, 0) / total,
  );
}
