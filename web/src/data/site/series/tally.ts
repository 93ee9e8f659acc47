/** What a row of a window says about the values of its points (core/columns/pyramid.cc). */

export interface Tally {
  /** Over finite values; NaN if there are none. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly nan: number;
  readonly posinf: number;
  readonly neginf: number;
}

/** For a second pass, after the sum of huge values overflowed. */
const SAFE_SCALE = 2 ** -80;

export function tally(values: Float64Array, from: number, to: number, scale = 1): Tally {
  let [sum, min, max, finite, nan, posinf, neginf] = [0, Infinity, -Infinity, 0, 0, 0, 0];
  for (let row = from; row < to; row += 1) {
    const value = values[row]!;
    if (Number.isFinite(value)) {
      sum += value * scale;
      if (value < min) min = value;
      if (value > max) max = value;
      finite += 1;
    } else if (Number.isNaN(value)) nan += 1;
    else if (value > 0) posinf += 1;
    else neginf += 1;
  }
  if (!Number.isFinite(sum) && scale === 1) return tally(values, from, to, SAFE_SCALE);
  if (finite === 0) return { min: NaN, max: NaN, mean: NaN, nan, posinf, neginf };
  // Rounding may move a mean past the extremes; the mean of equal values must be that value.
  const mean = Math.min(Math.max(sum / finite / scale, min), max);
  return { min, max, mean, nan, posinf, neginf };
}
