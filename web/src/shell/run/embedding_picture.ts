/** A small picture of an embedding: points in pixels, both axes with the same scale. */

export interface PlacedPoints {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** NaN where a point has no position; y grows downwards. Null without a point. */
export function placePoints(
  { x, y }: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> },
  { width, height, margin }: { readonly width: number; readonly height: number; readonly margin: number },
): PlacedPoints | null {
  const [xs, ys] = [extentOf(x), extentOf(y)];
  if (!xs || !ys) return null;
  const scale = Math.min((width - 2 * margin) / (xs.span || 1), (height - 2 * margin) / (ys.span || 1));
  const place = (values: ArrayLike<number>, middle: number, by: number, size: number): Float32Array =>
    Float32Array.from(values, (value) => size / 2 + (value - middle) * by);
  return { x: place(x, xs.middle, scale, width), y: place(y, ys.middle, -scale, height) };
}

function extentOf(values: ArrayLike<number>): { readonly middle: number; readonly span: number } | null {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]!;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { middle: (low + high) / 2, span: high - low } : null;
}
