/** Histograms as they are drawn and read: rows along an axis, a common range, equal bins for the picture, logged bins for the numbers. */

import { rowsOfRun, type HistogramBlock, type Range } from "$public/charts";
import { formatCount, type Axis } from "$public/core";

/** The route that lists the rules behind the hints. */
export const RULES = "api/dashboards/histograms/rules";

export const MODES = ["ridge", "overlay", "heat"] as const;
export type Mode = (typeof MODES)[number];

/** One histogram of the block. */
export interface Row {
  readonly row: number;
  readonly run: string;
  /** In units of the axis. */
  readonly along: number;
  readonly step: number;
}

/** The histograms of these runs, in the order of the axis; where it is the same, in the order of the runs. */
export function rowsOf(block: HistogramBlock, runs: readonly string[], axis: Axis): Row[] {
  const rows: Row[] = [];
  for (const run of runs) {
    const { from, to } = rowsOfRun(block, run);
    const began = block.began[block.runs.indexOf(run)] ?? 0;
    for (let row = from; row < to; row += 1) {
      const wall = block.wall[row]!;
      rows.push({
        row,
        run,
        step: block.step[row]!,
        along: axis === "step" ? block.step[row]! : axis === "wall" ? wall : wall - began,
      });
    }
  }
  return rows.sort((a, b) => a.along - b.along);
}

export interface Bucket {
  readonly left: number;
  readonly right: number;
  readonly count: number;
}

/** The logged bucket that holds this value; of several (all but one of them empty or without width) the fullest. */
export function bucketAt({ offsets, left, right, count }: HistogramBlock, row: number, value: number): Bucket | null {
  let best: Bucket | null = null;
  for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) {
    if (left[at]! > value) break;
    if (right[at]! < value || (best && count[at]! <= best.count)) continue;
    best = { left: left[at]!, right: right[at]!, count: count[at]! };
  }
  return best;
}

/** For the keyboard, which points at no value. */
export function fullestBucket({ offsets, left, right, count }: HistogramBlock, row: number): Bucket | null {
  let best = -1;
  for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) if (best < 0 || count[at]! > count[best]!) best = at;
  return best < 0 ? null : { left: left[best]!, right: right[best]!, count: count[best]! };
}

export function totalOf({ offsets, count }: HistogramBlock, row: number): number {
  let total = 0;
  for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) total += count[at]!;
  return total;
}

/** A share of the values on either side that clipping may cut off, and a share of the histograms that may be all outside. */
const CUT_VALUES = 0.005;
const CUT_ROWS = 0.1;
/** Wider ranges overflow when their ends are subtracted. */
const FAR = 8e307;

/** What the value axis spans: all buckets that hold something; or the bulk of them. Null when there are none. */
export function valueRange(block: HistogramBlock, rows: readonly Row[], clip: boolean): Range | null {
  const lows: number[] = [];
  const highs: number[] = [];
  for (const { row } of rows) {
    const ends = endsOf(block, row, clip ? CUT_VALUES : 0);
    if (!ends) continue;
    lows.push(ends.from);
    highs.push(ends.to);
  }
  if (lows.length === 0) return null;
  const cut = clip ? Math.floor(lows.length * CUT_ROWS) : 0;
  const from = lows.sort((a, b) => a - b)[cut]!;
  const to = highs.sort((a, b) => b - a)[cut]!;
  return wide({ from: Math.max(-FAR, from), to: Math.min(FAR, to) });
}

function endsOf({ offsets, left, right, count }: HistogramBlock, row: number, cut: number): Range | null {
  const [first, end] = [offsets[row]!, offsets[row + 1]!];
  let total = 0;
  for (let at = first; at < end; at += 1) total += count[at]!;
  const limit = total * cut;
  let [low, high] = [first, end - 1];
  for (let passed = count[low] ?? 0; low < end && passed <= limit; passed += count[low] ?? 0) low += 1;
  for (let passed = count[high] ?? 0; high > low && passed <= limit; passed += count[high] ?? 0) high -= 1;
  if (low >= end) return null;
  // A bucket without end is drawn at the end that it has.
  const from = Number.isFinite(left[low]!) ? left[low]! : right[low]!;
  const to = Number.isFinite(right[high]!) ? right[high]! : left[high]!;
  return Number.isFinite(from) && Number.isFinite(to) ? { from: Math.min(from, to), to: Math.max(from, to) } : null;
}

/** A single value gets some air around it. */
function wide({ from, to }: Range): Range {
  if (from < to) return { from, to };
  const air = Math.abs(from) * 0.1 || 1;
  return { from: from - air, to: to + air };
}

export function union(ranges: Iterable<Range>): Range | null {
  let found: Range | null = null;
  for (const { from, to } of ranges)
    found = found ? { from: Math.min(found.from, from), to: Math.max(found.to, to) } : { from, to };
  return found;
}

/** Ranges so much wider than the usual one are of runs that went astray: beside them all others would be a single spike. */
const ASTRAY = 20;

/** The axis that a card shares with the others of its tag; its own when it is far wider than theirs. */
export function common(own: Range, others: readonly Range[]): Range {
  const width = ({ from, to }: Range): number => to / 2 - from / 2;
  const widths = others.map(width).sort((a, b) => a - b);
  const usual = widths[(widths.length - 1) >> 1] ?? width(own);
  const isUsual = (range: Range): boolean => usual === 0 || width(range) <= ASTRAY * usual;
  return isUsual(own) ? (union([own, ...others.filter(isUsual)]) ?? own) : own;
}

/** How many values fall into each of `bins` equal parts of the range; a bucket's count is spread evenly over it. */
export function rebin(
  { offsets, left, right, count }: HistogramBlock,
  row: number,
  { from, to }: Range,
  bins: number,
): Float64Array {
  const out = new Float64Array(bins);
  const perUnit = bins / (to - from);
  for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) {
    const amount = count[at]!;
    if (amount <= 0) continue;
    const [low, high] = finite(left[at]!, right[at]!);
    // Halved first: the difference of two ends near the largest number has no room.
    const start = (low / 2 - from / 2) * perUnit * 2;
    const stop = (high / 2 - from / 2) * perUnit * 2;
    if (stop < 0 || start > bins) continue;
    if (!(stop > start)) {
      out[Math.min(bins - 1, Math.floor(start))]! += amount;
      continue;
    }
    const last = Math.min(bins - 1, Math.floor(stop));
    for (let bin = Math.max(0, Math.floor(start)); bin <= last; bin += 1) {
      out[bin]! += (amount * (Math.min(stop, bin + 1) - Math.max(start, bin))) / (stop - start);
    }
  }
  return out;
}

function finite(left: number, right: number): [number, number] {
  if (Number.isFinite(left) && Number.isFinite(right)) return [left, right];
  const end = Number.isFinite(left) ? left : right;
  return [end, end];
}

/** The row whose place along the axis is nearest, among those of one run. */
export function nearestRow(rows: readonly Row[], along: number, run?: string): Row | null {
  let best: Row | null = null;
  for (const row of rows) {
    if (run !== undefined && row.run !== run) continue;
    if (!best || Math.abs(row.along - along) < Math.abs(best.along - along)) best = row;
  }
  return best;
}

export interface Tally {
  readonly drawn: number;
  readonly points: number;
  readonly total: number;
  /** Values in no bucket, of the histograms that are drawn. */
  readonly leftOut: number;
}

export function tallyOf(block: HistogramBlock, rows: readonly Row[]): Tally {
  const runs = [...new Set(rows.map(({ run }) => block.runs.indexOf(run)))];
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
  return {
    drawn: rows.length,
    points: sum(runs.map((run) => block.points[run]!)),
    total: sum(runs.map((run) => block.total[run]!)),
    leftOut: sum(rows.map(({ row }) => block.leftOut[row]!)),
  };
}

/** What a card says below its tag. */
export function noteOf({ drawn, points, total, leftOut }: Tally, format: (count: number) => string): string {
  const of =
    points < total
      ? `${format(points)} of ${format(total)} steps`
      : `${format(total)} ${total === 1 ? "step" : "steps"}`;
  const words = [drawn < points ? `${of}, ${format(drawn)} drawn: zoom in for more` : of];
  if (leftOut > 0) words.push(`${format(leftOut)} NaN or ∞`);
  return words.join(" · ");
}

/** A number with all digits that float32 can tell apart, and no more: edges and counts are read, not estimated. */
export function exact(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "NaN";
  const size = Math.abs(value);
  const known = Number(value.toPrecision(7));
  if (size === 0 || (size >= 1e-4 && size < 1e9)) return formatCount(known, 12);
  return known.toExponential().replace("e+", "e").replace(/-/g, "−");
}

export function shareOf(count: number, total: number): string {
  return total > 0 ? `${((count / total) * 100).toFixed(2)}%` : "";
}
