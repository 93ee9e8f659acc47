/** Curves like those of training runs, the same on every machine. */

import { EMPTY_SET, type SeriesSet } from "../src/chart/series";

/** A small generator with a seed: pictures and times are comparable from run to run. */
export function randomOf(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface CurveWish {
  readonly series: number;
  readonly rows: number;
  readonly folded?: boolean;
  readonly smoothed?: boolean;
  readonly shape?: (share: number, series: number) => number;
  readonly noise?: number;
  readonly steps?: number;
}

/** Each run has its own end and its own speed. */
function falling(share: number, series: number): number {
  const own = ((series * 2654435761) >>> 0) / 2 ** 32;
  const other = ((series * 40503 * 2654435761) >>> 0) / 2 ** 32;
  return 0.9 + own ** 2 * 1.4 + 4 * Math.exp(-share * (4 + 9 * other));
}

export function curves({ series, rows, folded = false, smoothed = false, shape = falling, noise = 0.08, steps = 100_000 }: CurveWish): SeriesSet {
  const total = series * rows;
  const [x, raw, curve, low, high] = Array.from({ length: 5 }, () => new Float64Array(total)) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  for (let index = 0; index < series; index += 1) {
    const random = randomOf(index + 3);
    let mean = 0;
    let weight = 0;
    for (let row = 0; row < rows; row += 1) {
      const at = index * rows + row;
      const share = row / Math.max(1, rows - 1);
      x[at] = Math.round(share * steps);
      raw[at] = shape(share, index) * (1 + noise * (random() + random() - 1));
      low[at] = raw[at] - shape(share, index) * noise * random();
      high[at] = raw[at] + shape(share, index) * noise * random();
      mean = mean * 0.9 + raw[at] * 0.1;
      weight = weight * 0.9 + 0.1;
      curve[at] = mean / weight;
    }
  }
  const wall = x.map((step) => 1_700_000_000 + step * 0.25);
  return {
    ...EMPTY_SET, x, raw, curve: smoothed ? curve : raw, low: folded ? low : null, high: folded ? high : null, step: x, wall,
    offsets: Uint32Array.from({ length: series + 1 }, (_, index) => index * rows), began: new Float64Array(series).fill(1_700_000_000),
    series: Array.from({ length: series }, (_, index) => ({ key: `run${index}`, name: `run${index}`, attempt: 0, points: rows, folded })),
  };
}
