/**
 * Rows of a window from buckets of points, several to a pixel. A bucket belongs to the pixel in which it begins, so that nothing is
 * left out: a spike may be drawn a fraction of a pixel off.
 */

import type { Words } from "./level_blocks";
import { firstRow, forEachPixel, type PixelWindow, type RowWriter } from "./rows";

/** Buckets of one line in order of x, some of them perhaps in front of the window, for smoothing. */
export interface BucketLine {
  readonly x: Float64Array;
  readonly xLast: Float64Array;
  readonly steps: Float64Array;
  readonly stepsLast: Float64Array;
  readonly walls: Float64Array;
  readonly wallsLast: Float64Array;
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
  readonly mins: Float64Array;
  readonly maxes: Float64Array;
  readonly means: Float64Array;
  readonly counts: Float64Array;
  readonly words: Words | null;
  readonly averages: readonly Float64Array[];
  readonly weights: readonly number[];
  readonly attempt: number;
  readonly isReplaced: boolean;
}

/** Returns the number of points in the window: an estimate for the buckets at its ends. */
export function writeBuckets(line: BucketLine, window: PixelWindow, weight: number, out: RowWriter): number {
  const { edges } = out.request;
  const begin = firstRow(line.xLast, 0, (x) => x >= window.start);
  const end = firstRow(line.x, begin, (x) => x > window.stop);
  const smoother = out.request.smoothing.weight > 0 ? new BucketSmoother(line, weight) : null;
  if (edges && begin > 0) writeEdge(line, begin - 1, "last", smoother?.at(begin - 1) ?? NaN, out);
  forEachPixel(line.x, begin, end, window, (from, to) => writeRow(line, from, to, smoother, out));
  if (edges && end < line.x.length) writeEdge(line, end, "first", smoother?.after(line.firsts[end]!) ?? NaN, out);
  return pointsInside(line, begin, end, window);
}

function writeRow(line: BucketLine, from: number, to: number, smoother: BucketSmoother | null, out: RowWriter): void {
  const last = to - 1;
  const row = { min: NaN, max: NaN, mean: NaN, count: 0, nan: 0, posinf: 0, neginf: 0 };
  let [sum, finite] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const known = finiteOf(line, at);
    row.count += line.counts[at]!;
    if (line.words) for (const name of ["nan", "posinf", "neginf"] as const) row[name] += line.words[name][at]!;
    if (known === 0) continue;
    if (!(row.min <= line.mins[at]!)) row.min = line.mins[at]!;
    if (!(row.max >= line.maxes[at]!)) row.max = line.maxes[at]!;
    // Not a sum of values, which could overflow.
    finite += known;
    sum += (line.means[at]! - sum) * (known / finite);
  }
  if (finite > 0) row.mean = Math.min(Math.max(sum, row.min), row.max);
  out.write({
    step: line.steps[from]!,
    step_last: line.stepsLast[last]!,
    wall: line.walls[from]!,
    wall_last: line.wallsLast[last]!,
    first: line.firsts[from]!,
    last: line.lasts[last]!,
    ...row,
    smoothed: smoother?.at(last) ?? NaN,
    attempt: line.attempt,
    replaced: line.isReplaced ? 1 : 0,
  });
}

/** The single point beyond the window that a line enters from or leaves to. */
function writeEdge(line: BucketLine, at: number, end: "first" | "last", smoothed: number, out: RowWriter): void {
  const value = (end === "first" ? line.firsts : line.lasts)[at]!;
  const step = (end === "first" ? line.steps : line.stepsLast)[at]!;
  const wall = (end === "first" ? line.walls : line.wallsLast)[at]!;
  const finite = Number.isFinite(value) ? value : NaN;
  out.write({
    step,
    step_last: step,
    wall,
    wall_last: wall,
    first: value,
    last: value,
    min: finite,
    max: finite,
    mean: finite,
    count: 1,
    nan: Number.isNaN(value) ? 1 : 0,
    posinf: value === Infinity ? 1 : 0,
    neginf: value === -Infinity ? 1 : 0,
    smoothed,
    attempt: line.attempt,
    replaced: line.isReplaced ? 1 : 0,
  });
}

function finiteOf({ counts, words }: BucketLine, at: number): number {
  return counts[at]! - (words ? words.nan[at]! + words.posinf[at]! + words.neginf[at]! : 0);
}

function pointsInside(line: BucketLine, begin: number, end: number, { start, stop }: PixelWindow): number {
  let points = 0;
  for (let at = begin; at < end; at += 1) points += line.counts[at]! * shareInside(line, at, start, stop);
  return Math.round(points);
}

function shareInside({ x, xLast }: BucketLine, at: number, start: number, stop: number): number {
  const [from, to] = [x[at]!, xLast[at]!];
  if (from >= start && to <= stop) return 1;
  return Math.min(1, Math.max(0, (Math.min(to, stop) - Math.max(from, start)) / (to - from)));
}

/** Where the mean of a bucket, its average at weight 1, stands among the other weights. */
const MEAN_POSITION = Math.log(1e-6);

/** The debiased moving average at the ends of buckets; at weights that are not stored, interpolated between two that are. Weight 0 is as logged. */
class BucketSmoother {
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #share: number;
  #average = 0;
  #points = 0;
  #next = 0;

  constructor(
    private readonly line: BucketLine,
    private readonly weight: number,
  ) {
    const { weights, averages, lasts, means } = line;
    const above = weights.findIndex((stored) => stored >= weight);
    const at = above < 0 ? weights.length : above;
    this.#lower = at === 0 ? lasts : averages[at - 1]!;
    this.#upper = at === weights.length ? means : averages[at]!;
    const position = (stored: number): number => Math.max(Math.log(1 - stored), MEAN_POSITION);
    const [from, to] = [position(weights[at - 1] ?? 0), position(weights[at] ?? 1)];
    this.#share = (position(weight) - from) / (to - from);
  }

  /** At the end of a bucket. Buckets come in ascending order. */
  at(bucket: number): number {
    const last = this.line.lasts[bucket]!;
    if (this.weight === 0) return last;
    for (; this.#next <= bucket; this.#next += 1) this.#add(this.#next);
    return Number.isFinite(last) ? this.#debiased() : last;
  }

  /** One point after the bucket that was asked for last. */
  after(value: number): number {
    if (this.weight === 0 || !Number.isFinite(value)) return value;
    this.#average = this.#average * this.weight + (1 - this.weight) * value;
    this.#points += 1;
    return this.#debiased();
  }

  #add(bucket: number): void {
    const points = finiteOf(this.line, bucket);
    if (points === 0) return;
    const decay = this.weight ** points;
    const [lower, upper] = [this.#lower[bucket]!, this.#upper[bucket]!];
    const own = Number.isFinite(lower) ? lower + (upper - lower) * this.#share : upper;
    this.#average = this.#average * decay + own * (1 - decay);
    this.#points += points;
  }

  #debiased(): number {
    return this.weight === 1 ? this.#average : this.#average / (1 - this.weight ** this.#points);
  }
}
