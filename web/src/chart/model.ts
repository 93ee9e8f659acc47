/** From columns to lines: what a chart draws, without a canvas. */

import type { Axis, SeriesBlock } from "../data/api";

export interface Line {
  readonly run: string;
  readonly x: Float64Array;
  /** The curve: the smoothed value where smoothing is on, else the mean of the points behind each pixel. */
  readonly y: Float64Array;
  readonly mean: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Some row stands for several points, so the envelope says more than the curve. */
  readonly folded: boolean;
  readonly points: number;
  /** Where values were NaN or infinite. */
  readonly marks: readonly number[];
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export function linesOf(block: SeriesBlock, axis: Axis): Line[] {
  const { columns } = block;
  const offsets = columns.offsets!;
  return block.runs.map((run, index) => {
    const from = offsets[index]!;
    const to = offsets[index + 1]!;
    const rows = (name: string): Float64Array => columns[name]!.subarray(from, to) as Float64Array;
    const counts = rows("count");
    const x = axis === "step" ? rows("step_last") : axis === "wall" ? rows("wall_last") : sinceFirst(rows("wall_last"));
    const mean = rows("mean");
    return {
      run, x, mean,
      y: columns.smoothed ? rows("smoothed") : mean,
      low: rows("min"),
      high: rows("max"),
      folded: counts.some((count) => count > 1),
      points: counts.reduce((sum, count) => sum + count, 0),
      marks: marksOf(x, ["nan", "posinf", "neginf"].map(rows)),
    };
  });
}

function sinceFirst(walls: Float64Array): Float64Array {
  const first = walls[0] ?? 0;
  return walls.map((wall) => wall - first);
}

function marksOf(x: Float64Array, counts: readonly Float64Array[]): number[] {
  const marks: number[] = [];
  for (let row = 0; row < x.length; row += 1) {
    if (counts.some((column) => column[row]! > 0)) marks.push(x[row]!);
  }
  return marks;
}

/** The x range of all lines; one point alone gets room on both sides. */
export function rangeOfX(lines: readonly Line[]): Range | null {
  let from = Infinity;
  let to = -Infinity;
  for (const { x } of lines) {
    if (x.length === 0) continue;
    from = Math.min(from, x[0]!);
    to = Math.max(to, x[x.length - 1]!);
  }
  return from > to ? null : from === to ? { from: from - 0.5, to: to + 0.5 } : { from, to };
}

const EVEN_SAMPLES = 100;

export interface RangeOptions {
  readonly log: boolean;
  readonly clipOutliers: boolean;
}

/** The y range: what is drawn, less what lies far outside the bulk when outliers are clipped, with a little air. */
export function rangeOfY(lines: readonly Line[], { log, clipOutliers }: RangeOptions): Range | null {
  let from = Infinity;
  let to = -Infinity;
  for (const line of lines) {
    for (const column of clipOutliers ? [line.y] : [line.y, line.low, line.high]) {
      for (const value of column) {
        if (!Number.isFinite(value) || (log && value <= 0)) continue;
        from = Math.min(from, value);
        to = Math.max(to, value);
      }
    }
  }
  if (from > to) return null;
  return padded(clipOutliers && !log ? withoutOutliers(lines, { from, to }) : { from, to }, log);
}

/**
 * The bulk is the inner nine tenths. What lies further out than three times its height on either side is an outlier:
 * a curve that falls steeply at first stays whole, one run that explodes does not press all others flat.
 */
function withoutOutliers(lines: readonly Line[], { from, to }: Range): Range {
  const sorted = Float64Array.from(evenSamples(lines)).sort();
  const low = sorted[Math.floor(sorted.length * 0.05)] ?? from;
  const high = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? to;
  const reach = (high - low) * 3;
  if (!(reach > 0)) return { from, to };
  return { from: Math.max(from, low - reach), to: Math.min(to, high + reach) };
}

/** Values at even distances along x, so that a line counts by the room it takes and not by its number of rows. */
function evenSamples(lines: readonly Line[]): number[] {
  const whole = rangeOfX(lines);
  if (!whole) return [];
  const samples: number[] = [];
  for (const { x, y } of lines) {
    for (let i = 0; i <= EVEN_SAMPLES; i += 1) {
      const at = whole.from + ((whole.to - whole.from) * i) / EVEN_SAMPLES;
      if (at < x[0]! || at > x[x.length - 1]!) continue;
      const value = y[nearestRow(x, at)];
      if (value !== undefined && Number.isFinite(value)) samples.push(value);
    }
  }
  return samples;
}

function padded({ from, to }: Range, log: boolean): Range {
  if (log) {
    const air = Math.max(Math.log10(to / from) * 0.04, 0.02);
    return { from: from / 10 ** air, to: to * 10 ** air };
  }
  // A constant keeps its own size on the axis: 0.001 must not look like 0 ± 1.
  const air = to > from ? (to - from) * 0.05 : Math.abs(from) * 0.1 || 1;
  return { from: from - air, to: to + air };
}

/** The row nearest to x, or -1 when there is none. */
export function nearestRow(x: Float64Array, at: number): number {
  if (x.length === 0) return -1;
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at - x[low - 1]! <= x[low]! - at ? low - 1 : low;
}
