/** So many lines that none can be followed: how many pass through each pixel, on a logarithmic ramp of colours. */

import { pixelOf, rampOf } from "../ramp";
import type { Spans } from "./raster";

/** One more row than pixels: the end of a span that reaches the bottom lands there. */
export function densityBins(width: number, height: number): Int32Array {
  return new Int32Array(width * (height + 1));
}

/** Adds a line to the counts as differences along each column, and empties the spans for the next one. */
export function count(bins: Int32Array, height: number, { low, high }: Spans): void {
  for (let column = 0; column < low.length; column += 1) {
    const lowest = low[column]!;
    const highest = high[column]!;
    if (lowest > highest) continue;
    low[column] = Infinity;
    high[column] = -Infinity;
    const first = Math.max(0, Math.floor(lowest));
    const end = Math.min(height, Math.floor(highest) + 1);
    if (end <= first) continue;
    const base = column * (height + 1);
    bins[base + first]! += 1;
    bins[base + end]! -= 1;
  }
}

const SHADES = 256;

/** Sums the differences up and writes straight 0xAABBGGRR, row by row. */
export function developDensity(
  bins: Int32Array,
  width: number,
  height: number,
  ramp: readonly number[],
  out: Uint32Array,
): void {
  let most = 0;
  for (let column = 0; column < width; column += 1) {
    let sum = 0;
    for (let at = column * (height + 1), end = at + height; at < end; at += 1) {
      sum += bins[at]!;
      bins[at] = sum;
      if (sum > most) most = sum;
    }
  }
  const shades = shadesOf(ramp);
  const perLog = (SHADES - 1) / Math.log(most + 1);
  const shadeOfCount = Uint32Array.from({ length: most + 1 }, (_, lines) =>
    lines === 0 ? 0 : shades[Math.round(Math.log(lines + 1) * perLog)]!,
  );
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) out[y * width + x] = shadeOfCount[bins[x * (height + 1) + y]!]!;
  }
}

/** Single lines are half transparent, crowds opaque: an outlier is seen and does not shout. */
function shadesOf(ramp: readonly number[]): Uint32Array {
  return rampOf(ramp, SHADES).map((rgb, shade) => pixelOf(rgb, Math.round(255 * Math.min(1, 0.5 + shade / SHADES))));
}
