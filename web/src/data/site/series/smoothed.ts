/** The debiased exponential moving average that TensorBoard draws, over every point of a line (core/query/smooth.cc). */

import { pointWeight, type RequestedSmoothing } from "../../../base/smoothing";

/** A bias so small does not change a double. */
const NEGLIGIBLE = 2 ** -54;
/** A line of fewer points stays as logged: the average would hide the last. */
const MIN_SMOOTHED_POINTS = 20;

/** What decides how a line is smoothed, as a whole and not only where it is drawn. */
export interface LineExtent {
  readonly points: number;
  /** Its least and greatest x. */
  readonly first: number;
  readonly last: number;
  readonly isConstant: boolean;
}

/** The weight from each point of a line to the next; 0: as logged. */
export function lineWeight({ points, first, last, isConstant }: LineExtent, smoothing: RequestedSmoothing): number {
  // Smoothing equal values would only add rounding noise.
  if (smoothing.weight === 0 || points < MIN_SMOOTHED_POINTS || isConstant) return 0;
  return pointWeight(smoothing, (last - first) / (points - 1));
}

/** Writes the average at the last point of each row: row i has the points from ends[i] up to ends[i + 1]. */
export function writeSmoothed(
  values: Float64Array,
  weight: number,
  ends: Int32Array,
  target: Float64Array,
  at: number,
): void {
  let [average, points, next, isDebiased] = [0, 0, 0, weight === 1];
  for (let row = 0; row + 1 < ends.length; row += 1) {
    const last = ends[row + 1]! - 1;
    for (; weight > 0 && next <= last; next += 1) {
      const value = values[next]!;
      if (!Number.isFinite(value)) continue;
      average = average * weight + (1 - weight) * value;
      points += 1;
    }
    const value = values[last]!;
    if (weight === 0 || !Number.isFinite(value)) {
      target[at + row] = value;
      continue;
    }
    const bias = isDebiased ? 0 : weight ** points;
    isDebiased ||= bias < NEGLIGIBLE;
    target[at + row] = average / (1 - bias);
  }
}
