/** Every point of a series, as publish/series_points.py stores it. */

import type { ColumnBlock, NumberColumn } from "../../columns";

/** In order of arrival. */
export interface SeriesPoints {
  readonly steps: Float64Array;
  readonly walls: Float64Array;
  readonly values: Float64Array;
  /** Stretches of rows that are alike, in order. */
  readonly spans: readonly Span[];
}

export interface Span {
  readonly start: number;
  readonly attempt: number;
  /** A restart replaced these points. */
  readonly isReplaced: boolean;
}

/** Steps with equal distances. */
export interface Strides {
  readonly first: number;
  readonly stride: number;
}

/** First row, attempt, whether a restart replaced them. */
export type StoredSpan = readonly [number, number, number];

interface PointsHeader {
  readonly count: number;
  readonly steps?: Strides;
  /** Values are float32. */
  readonly narrow: boolean;
  readonly spans: readonly StoredSpan[];
}

export const seriesKey = (tag: string, run: string): string => `series\0${tag}\0${run}`;

/** Wall times are computed when they are first read: a chart over steps never does. */
export class Rows {
  #walls: Float64Array | undefined;
  readonly #makeWalls: () => Float64Array;

  constructor(
    readonly steps: Float64Array,
    readonly values: Float64Array,
    makeWalls: () => Float64Array,
  ) {
    this.#makeWalls = makeWalls;
  }

  get walls(): Float64Array {
    return (this.#walls ??= this.#makeWalls());
  }
}

export class StoredPoints extends Rows implements SeriesPoints {
  constructor(
    steps: Float64Array,
    values: Float64Array,
    makeWalls: () => Float64Array,
    readonly spans: readonly Span[],
  ) {
    super(steps, values, makeWalls);
  }
}

export function decodePoints({ header, columns }: ColumnBlock): SeriesPoints {
  const { count, steps, narrow, spans } = header as unknown as PointsHeader;
  return new StoredPoints(
    steps ? equalSteps(steps, count) : decodeSteps(columns.step!, count),
    decodeValues(columns.value!, count, narrow),
    () => decodeWalls(columns.wall!, count),
    spans.map(decodeSpan),
  );
}

/** The same array for all series that have the same steps, of those that were read last. */
const equal = new Map<string, Float64Array>();
const MAX_EQUAL = 32;

function equalSteps({ first, stride }: Strides, count: number): Float64Array {
  const key = `${first} ${stride} ${count}`;
  let steps = equal.get(key);
  if (!steps) {
    steps = new Float64Array(count);
    for (let row = 0; row < count; row += 1) steps[row] = first + row * stride;
    if (equal.size === MAX_EQUAL) equal.delete(equal.keys().next().value!);
    equal.set(key, steps);
  }
  return steps;
}

export const decodeSpan = ([start, attempt, isReplaced]: StoredSpan): Span => ({
  start,
  attempt,
  isReplaced: isReplaced === 1,
});

export const decodeSteps = (planes: NumberColumn, count: number): Float64Array => signedWords(summed(planes, count));

export const decodeWalls = (planes: NumberColumn, count: number): Float64Array =>
  new Float64Array(summed(planes, count).buffer);

/** Narrow values are float32. */
export const decodeValues = (planes: NumberColumn, count: number, isNarrow: boolean): Float64Array =>
  isNarrow ? joinFloats(planes, count) : new Float64Array(joinPlanes(planes, count, 8));

let words = new Uint32Array(1024);

/** Four planes of float32. Not by joinPlanes: this is where the page of a thousand runs spends its time. */
function joinFloats(planes: NumberColumn, count: number): Float64Array {
  if (words.length < count) words = new Uint32Array(2 * count);
  for (let row = 0; row < count; row += 1) {
    words[row] =
      planes[row]! | (planes[count + row]! << 8) | (planes[2 * count + row]! << 16) | (planes[3 * count + row]! << 24);
  }
  return new Float64Array(new Float32Array(words.buffer, 0, count));
}

/** Bytes of a column that is stored byte by byte: first the lowest bytes of all rows. */
function joinPlanes(planes: NumberColumn, count: number, size: number): ArrayBuffer {
  const out = new Uint8Array(count * size);
  for (let plane = 0; plane < size; plane += 1) {
    const from = plane * count;
    for (let row = 0, at = plane; row < count; row += 1, at += size) out[at] = planes[from + row]!;
  }
  return out.buffer;
}

/** Sums of 64-bit differences, as pairs of a low and a high word. */
function summed(planes: NumberColumn, count: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(joinPlanes(planes, count, 8));
  let low = 0;
  let high = 0;
  for (let at = 0; at < words.length; at += 2) {
    const sum = low + words[at]!;
    low = sum >>> 0;
    high = (high + words[at + 1]! + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    words[at] = low;
    words[at + 1] = high;
  }
  return words;
}

function signedWords(words: Uint32Array): Float64Array {
  const out = new Float64Array(words.length / 2);
  for (let row = 0; row < out.length; row += 1) out[row] = (words[row * 2 + 1]! | 0) * 2 ** 32 + words[row * 2]!;
  return out;
}
