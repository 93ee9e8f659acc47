/** A long series of which only the parts that are drawn are read: points where few fall on a pixel, buckets of them elsewhere. */

import type { Axis } from "../../api";
import type { Attempts } from "../../series";
import type { BucketLine } from "./bucket_rows";
import type { Buckets, SeriesHead } from "./level_blocks";
import { firstRow } from "./rows";
import { endOf, partsOf, PointLine, positions, type AttemptRanges, type Line, type RowRange } from "./series_lines";
import { Rows, StoredPoints, type SeriesPoints } from "./series_points";
import type { LineSource } from "./line_source";
import type { LineWindow } from "./window_request";

/** What a series is read with; both are cached. */
export interface PieceReader {
  readonly points: (block: number) => Promise<SeriesPoints>;
  readonly buckets: (size: number, block: number) => Promise<Buckets>;
}

/** Buckets for each pixel: where one ends is then hard to see. */
const BUCKETS_PER_PIXEL = 2;
/** Points in front of a window count for its smoothed values until their share is this small, or so many points or buckets were read. */
const NEGLIGIBLE = 1e-7;
const MAX_WARM_UP = 262_144;

interface Slice {
  readonly from: number;
  readonly to: number;
}

export class LevelSeries {
  constructor(
    readonly head: SeriesHead,
    readonly reader: PieceReader,
  ) {}

  /** Its lines; null if they are not in order along the axis: then all points have to be read and sorted. */
  lines(axis: Axis, attempts: Attempts): LineSource[] | null {
    const { count, spans, ascending } = this.head;
    if (!ascending.includes(axis === "step" ? "step" : "wall")) return null;
    const parts = partsOf(count, spans, attempts).filter(({ ranges }) => ranges.length > 0);
    const lines = parts.map((part) => new LevelLine(this, part, axis));
    if (axis === "relative") {
      const origin = Math.min(...lines.map(({ first }) => first));
      for (const line of lines) line.origin = origin;
    }
    return lines;
  }

  async allPoints(): Promise<SeriesPoints> {
    const rows = await this.points([{ from: 0, to: this.head.count }]);
    return new StoredPoints(rows.steps, rows.values, () => rows.walls, this.head.spans);
  }

  async points(slices: readonly Slice[]): Promise<Rows> {
    const { blockRows } = this.head;
    const pieces = await piecesOf(slices, blockRows, (block) => this.reader.points(block));
    const pick = (column: (points: SeriesPoints) => Float64Array): Float64Array => concat(pieces, column);
    return new Rows(
      pick(({ steps }) => steps),
      pick(({ values }) => values),
      () => pick(({ walls }) => walls),
    );
  }

  /** The first bucket of each span at a size. */
  bases(size: number): ReadonlyMap<number, number> {
    const { count, spans } = this.head;
    let base = 0;
    return new Map(
      spans.map(({ start }, at) => {
        const entry = [start, base] as const;
        base += Math.ceil((endOf(spans, at, count) - start) / size);
        return entry;
      }),
    );
  }
}

class LevelLine implements LineSource {
  origin = 0;
  readonly #rows: number;
  readonly #coarsest: BucketLine;
  /** The row of the line at which each of the coarsest buckets begins. */
  readonly #offsets: Float64Array;

  constructor(
    private readonly series: LevelSeries,
    private readonly part: AttemptRanges,
    private readonly axis: Axis,
  ) {
    this.#rows = part.ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const size = series.head.levels.at(-1)!;
    const whole = this.#bucketSlices(size, 0, this.#rows);
    this.#coarsest = this.#line(
      size,
      whole,
      whole.map(({ from, to }) => ({ value: series.head.coarsest, from, to })),
    );
    this.#offsets = new Float64Array(this.#coarsest.counts.length + 1);
    this.#coarsest.counts.forEach((count, at) => (this.#offsets[at + 1] = this.#offsets[at]! + count));
  }

  get points(): number {
    return this.#rows;
  }

  get isConstant(): boolean {
    const { mins, maxes, words } = this.#coarsest;
    return words === null && mins.every((low) => low === mins[0]) && maxes.every((high) => high === mins[0]);
  }

  get first(): number {
    return this.#coarsest.x[0]! - this.origin;
  }

  get last(): number {
    return this.#coarsest.xLast.at(-1)! - this.origin;
  }

  async load({ start, stop, width, weight }: LineWindow): Promise<Line | BucketLine> {
    const { x, xLast } = this.#coarsest;
    const begin = firstRow(xLast, 0, (value) => value - this.origin >= start);
    const end = firstRow(x, begin, (value) => value - this.origin > stop);
    const [startRow, stopRow] = [this.#offsets[begin]!, this.#offsets[end]!];
    const size = this.#sizeFor(stopRow - startRow, width);
    if (size === this.series.head.levels.at(-1)) return this.#shifted(this.#coarsest);
    const from = Math.max(0, startRow - warmUpRows(weight, size) - size);
    const to = Math.min(this.#rows, stopRow + size);
    if (size === 1) return this.#points(from, to);
    const slices = this.#bucketSlices(size, from, to);
    const read = (block: number): Promise<Buckets> => this.series.reader.buckets(size, block);
    const pieces = await piecesOf(slices, this.series.head.blockBuckets, read);
    return this.#shifted(this.#line(size, slices, pieces));
  }

  /** Rows of a bucket: the most that give enough buckets; 1 is every point. */
  #sizeFor(rows: number, width: number): number {
    if (width === 0) return 1;
    return this.series.head.levels.findLast((size) => rows / size >= width * BUCKETS_PER_PIXEL) ?? 1;
  }

  async #points(from: number, to: number): Promise<Line> {
    const { attempt, isReplaced } = this.part;
    const rows = await this.series.points(
      this.#inside(from, to).map(({ range, skip, rows: count }) => ({
        from: range[0] + skip,
        to: range[0] + skip + count,
      })),
    );
    const { axis, origin } = this;
    return new PointLine(rows, positions(rows, axis, origin), attempt, isReplaced);
  }

  /** The parts of the line's ranges that hold its rows [from, to). */
  #inside(from: number, to: number): { range: RowRange; skip: number; rows: number }[] {
    let at = 0;
    return this.part.ranges.flatMap((range) => {
      const [begin, end] = [at, (at += range[1] - range[0])];
      const [first, last] = [Math.max(from, begin), Math.min(to, end)];
      return first < last ? [{ range, skip: first - begin, rows: last - first }] : [];
    });
  }

  /** The buckets of a size that hold the line's rows [from, to), as positions in the level. */
  #bucketSlices(
    size: number,
    from: number,
    to: number,
  ): (Slice & { readonly range: RowRange; readonly skipped: number })[] {
    const bases = this.series.bases(size);
    return this.#inside(from, to).map(({ range, skip, rows }) => {
      const skipped = Math.floor(skip / size);
      const base = bases.get(range[0])!;
      return { range, skipped, from: base + skipped, to: base + Math.ceil((skip + rows) / size) };
    });
  }

  #line(
    size: number,
    slices: readonly (Slice & { readonly range: RowRange; readonly skipped: number })[],
    pieces: readonly Piece<Buckets>[],
  ): BucketLine {
    const { steps: strides, weights } = this.series.head;
    const { starts, counts } = bucketRows(size, slices);
    const pick = (column: (buckets: Buckets) => Float64Array): Float64Array => concat(pieces, column);
    const stepAt = (row: number): number => strides!.first + row * strides!.stride;
    const steps = strides ? starts.map(stepAt) : pick(({ steps: own }) => own!);
    const stepsLast = strides
      ? starts.map((start, at) => stepAt(start + counts[at]! - 1))
      : pick(({ stepsLast: own }) => own!);
    const [walls, wallsLast] = [pick((one) => one.walls), pick((one) => one.wallsLast)];
    const isStep = this.axis === "step";
    return {
      x: isStep ? steps : walls,
      xLast: isStep ? stepsLast : wallsLast,
      ...{ steps, stepsLast, walls, wallsLast, counts, weights },
      firsts: pick(({ firsts }) => firsts),
      lasts: pick(({ lasts }) => lasts),
      mins: pick(({ mins }) => mins),
      maxes: pick(({ maxes }) => maxes),
      means: pick(({ means }) => means),
      averages: weights.map((_, at) => pick(({ averages }) => averages[at]!)),
      words: pieces.some(({ value }) => value.words) ? wordsOf(pieces) : null,
      attempt: this.part.attempt,
      isReplaced: this.part.isReplaced,
    };
  }

  #shifted(line: BucketLine): BucketLine {
    if (this.origin === 0) return line;
    const shift = (wall: number): number => wall - this.origin;
    return { ...line, x: line.x.map(shift), xLast: line.xLast.map(shift) };
  }
}

function warmUpRows(weight: number, size: number): number {
  if (weight === 0) return 0;
  return Math.min(MAX_WARM_UP * size, Math.ceil(Math.log(NEGLIGIBLE) / Math.log(weight)));
}

/** The first row of each bucket, and how many it has: the last one of a range may have fewer. */
function bucketRows(
  size: number,
  slices: readonly (Slice & { readonly range: RowRange; readonly skipped: number })[],
): { starts: Float64Array; counts: Float64Array } {
  const starts: number[] = [];
  const counts: number[] = [];
  for (const { range, skipped, from, to } of slices) {
    for (let at = 0; at < to - from; at += 1) {
      const start = range[0] + (skipped + at) * size;
      starts.push(start);
      counts.push(Math.min(size, range[1] - start));
    }
  }
  return { starts: Float64Array.from(starts), counts: Float64Array.from(counts) };
}

/** A part of a block, from its first to behind its last entry. */
interface Piece<Block> extends Slice {
  readonly value: Block;
}

/** Reads the blocks of some length that hold the slices. */
function piecesOf<Block>(
  slices: readonly Slice[],
  length: number,
  read: (block: number) => Promise<Block>,
): Promise<Piece<Block>[]> {
  const wanted: (Slice & { readonly block: number })[] = [];
  for (const { from, to } of slices) {
    for (let block = Math.floor(from / length); block * length < to; block += 1) {
      const start = block * length;
      wanted.push({ block, from: Math.max(from - start, 0), to: Math.min(to - start, length) });
    }
  }
  return Promise.all(wanted.map(async ({ block, from, to }) => ({ value: await read(block), from, to })));
}

function concat<Block>(pieces: readonly Piece<Block>[], column: (block: Block) => Float64Array): Float64Array {
  if (pieces.length === 1) return column(pieces[0]!.value).subarray(pieces[0]!.from, pieces[0]!.to);
  const out = new Float64Array(pieces.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { value, from, to } of pieces) {
    out.set(column(value).subarray(from, to), at);
    at += to - from;
  }
  return out;
}

function wordsOf(pieces: readonly Piece<Buckets>[]): NonNullable<Buckets["words"]> {
  const zeros = (buckets: Buckets): Float64Array => new Float64Array(buckets.firsts.length);
  const pick = (name: "nan" | "posinf" | "neginf"): Float64Array =>
    concat(pieces, (buckets) => (buckets.words ? Float64Array.from(buckets.words[name]) : zeros(buckets)));
  return { nan: pick("nan"), posinf: pick("posinf"), neginf: pick("neginf") };
}
