/** The head and the levels of a long series, as publish/series_levels.py stores them: numbers that describe buckets of points. */

import type { ColumnBlock, NumberColumn } from "../../columns";
import {
  decodeSpan,
  decodeSteps,
  decodeValues,
  decodeWalls,
  type Span,
  type StoredSpan,
  type Strides,
} from "./series_points";

/** Of each bucket, over its finite values. */
export interface Buckets {
  readonly walls: Float64Array;
  readonly wallsLast: Float64Array;
  /** Null if all steps of the series have equal distances. */
  readonly steps: Float64Array | null;
  readonly stepsLast: Float64Array | null;
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
  readonly mins: Float64Array;
  readonly maxes: Float64Array;
  readonly means: Float64Array;
  /** Values that are not finite; null if the blob has none. */
  readonly words: Words | null;
  /** For each weight, the debiased moving average of the bucket alone, at its end. */
  readonly averages: readonly Float64Array[];
}

export interface Words {
  readonly nan: NumberColumn;
  readonly posinf: NumberColumn;
  readonly neginf: NumberColumn;
}

export interface SeriesHead {
  readonly count: number;
  readonly spans: readonly Span[];
  /** Rows of a block of points, and buckets of a blob of a level. */
  readonly blockRows: number;
  readonly blockBuckets: number;
  /** Rows of a bucket of each level, ascending. */
  readonly levels: readonly number[];
  readonly weights: readonly number[];
  /** The axes along which the lines of the series are in order of arrival. */
  readonly ascending: readonly string[];
  readonly steps: Strides | null;
  /** The coarsest level. */
  readonly coarsest: Buckets;
}

/** Whether a block is the head of a long series; the others are all points of a short one. */
export const isHead = (block: ColumnBlock): boolean => "levels" in block.header;

export function decodeHead(block: ColumnBlock): SeriesHead {
  const header = block.header as unknown as Omit<SeriesHead, "spans"> & { readonly spans: readonly StoredSpan[] };
  return { ...header, spans: header.spans.map(decodeSpan), coarsest: decodeBuckets(block) };
}

export function decodeBuckets({ header, columns }: ColumnBlock): Buckets {
  const { buckets, narrow } = header as unknown as { buckets: number; narrow: boolean };
  const values = (name: string): Float64Array => decodeValues(columns[name]!, buckets, narrow);
  const averages: Float64Array[] = [];
  while (columns[`average${averages.length}`]) averages.push(values(`average${averages.length}`));
  const { nan, posinf, neginf } = columns;
  return {
    walls: decodeWalls(columns.wall!, buckets),
    wallsLast: decodeWalls(columns.wallLast!, buckets),
    steps: columns.step ? decodeSteps(columns.step, buckets) : null,
    stepsLast: columns.stepLast ? decodeSteps(columns.stepLast, buckets) : null,
    firsts: values("first"),
    lasts: values("last"),
    mins: values("min"),
    maxes: values("max"),
    means: values("mean"),
    words: nan && posinf && neginf ? { nan, posinf, neginf } : null,
    averages,
  };
}
