/** Sets of series for tests. */

import { EMPTY_SET, type SeriesSet } from "./series";

/** One series per list of values, at x = 0, 1, 2, … */
export function setOf(...lines: readonly (readonly number[])[]): SeriesSet {
  const offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1)! + line.length);
  const curve = Float64Array.from(lines.flat());
  const x = Float64Array.from(lines.flatMap((line) => line.map((_, row) => row)));
  return {
    ...EMPTY_SET,
    offsets: Uint32Array.from(offsets),
    x,
    curve,
    raw: curve,
    step: x,
    wall: x,
    began: new Float64Array(lines.length),
    series: lines.map((line, index) => ({
      key: `run${index}`,
      name: `run${index}`,
      attempt: 0,
      points: line.length,
      isDownsampled: false,
    })),
  };
}

/** The same with an x column that all series share. */
export function sharedSetOf(...lines: readonly (readonly number[])[]): SeriesSet {
  const x = Int32Array.from({ length: Math.max(...lines.map(({ length }) => length)) }, (_, row) => row);
  return { ...setOf(...lines), x, step: x, sharedX: true };
}

export const all = (set: SeriesSet): number[] => set.series.map((_, index) => index);
