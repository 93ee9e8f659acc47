/** Which part of a series to read for what a chart shows: zooming reads again until every logged point is there. */

import type { Range } from "../../chart/scale";

export interface Read {
  /** Null: all of it. */
  readonly range: Range | null;
  /** Some row stands for several points. */
  readonly isDownsampled: boolean;
}

/** So much is read beside what is shown, on either side, that a little panning needs no new question. */
const BESIDE = 0.5;
/** The share of the answer that is shown, at least; below that there are finer points to be had. */
const LEAST_SHARE = 1 / (1 + 2 * BESIDE) / 1.6;

/** How many times wider than the plot an answer is. */
export const readWidth = (range: Range | null, pixels: number): number => (range ? pixels * (1 + 2 * BESIDE) : pixels);

export function rangeToRead(shown: Range | null, last: Read | null): Range | null {
  if (!shown) return null;
  if (last && isEnough(shown, last)) return last.range;
  const beside = (shown.to - shown.from) * BESIDE;
  return { from: shown.from - beside, to: shown.to + beside };
}

function isEnough(shown: Range, { range, isDownsampled }: Read): boolean {
  if (!range) return !isDownsampled;
  if (shown.from < range.from || shown.to > range.to) return false;
  return !isDownsampled || shown.to - shown.from >= (range.to - range.from) * LEAST_SHARE;
}
