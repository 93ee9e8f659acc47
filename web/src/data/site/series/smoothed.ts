/** The debiased exponential moving average that TensorBoard draws, over every point of a line (core/query/smooth.cc). */

/** A bias so small does not change a double. */
const NEGLIGIBLE = 2 ** -54;

/** Writes the average at the last point of each row: row i has the points from ends[i] up to ends[i + 1]. */
export function writeSmoothed(
  values: Float64Array,
  weight: number,
  ends: Int32Array,
  target: Float64Array,
  at: number,
): void {
  const isConstant = values.every((value) => value === values[0]);
  let [average, points, next, isDebiased] = [0, 0, 0, weight === 1];
  for (let row = 0; row + 1 < ends.length; row += 1) {
    const last = ends[row + 1]! - 1;
    // Smoothing equal values would only add rounding noise.
    for (; !isConstant && next <= last; next += 1) {
      const value = values[next]!;
      if (!Number.isFinite(value)) continue;
      average = average * weight + (1 - weight) * value;
      points += 1;
    }
    const value = values[last]!;
    if (isConstant || !Number.isFinite(value)) {
      target[at + row] = value;
      continue;
    }
    const bias = isDebiased ? 0 : weight ** points;
    isDebiased ||= bias < NEGLIGIBLE;
    target[at + row] = average / (1 - bias);
  }
}
