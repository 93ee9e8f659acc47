/**
 * Many lines by their spans: in each pixel column a line covers one stretch from its lowest to its highest point there.
 * Spans are blended into an image of premultiplied pixels, column after column in memory, which is turned at the end.
 */

export interface Spans {
  /** Lowest and highest y of the line in each pixel column; empty columns have low > high. */
  readonly low: Float32Array;
  readonly high: Float32Array;
}

export function emptySpans(width: number): Spans {
  return { low: new Float32Array(width).fill(Infinity), high: new Float32Array(width).fill(-Infinity) };
}

/** Follows a polyline through the pixel columns. NaN in y is a gap. */
export function trace(spans: Spans, px: Float32Array, py: Float32Array, count: number): void {
  let lastX = NaN;
  let lastY = NaN;
  for (let k = 0; k < count; k += 1) {
    const x = px[k]!;
    const y = py[k]!;
    if (y !== y || x !== x) {
      lastX = NaN;
      continue;
    }
    if (lastX !== lastX) reach(spans.low, spans.high, Math.floor(x), y, y);
    else if (lastX <= x) segment(spans.low, spans.high, lastX, lastY, x, y);
    else segment(spans.low, spans.high, x, y, lastX, lastY);
    lastX = x;
    lastY = y;
  }
}

/** From left to right; each column hands the y at its right edge on to the next. */
function segment(low: Float32Array, high: Float32Array, x0: number, y0: number, x1: number, y1: number): void {
  const width = low.length;
  const first = Math.floor(x0);
  const last = Math.floor(x1);
  if (first === last) return reach(low, high, first, y0, y1);
  if (last < 0 || first >= width) return;
  const slope = (y1 - y0) / (x1 - x0);
  const from = first < 0 ? 0 : first;
  const to = last >= width ? width : last;
  let y = first < 0 ? y0 - slope * x0 : y0;
  let next = y0 + slope * (from + 1 - x0);
  for (let column = from; column < to; column += 1) {
    reach(low, high, column, y, next);
    y = next;
    next += slope;
  }
  if (last < width) reach(low, high, last, y, y1);
}

function reach(low: Float32Array, high: Float32Array, column: number, a: number, b: number): void {
  if (column < 0 || column >= low.length) return;
  const least = a < b ? a : b;
  const most = a < b ? b : a;
  if (least < low[column]!) low[column] = least;
  if (most > high[column]!) high[column] = most;
}

export interface StrokeStyle {
  readonly rgb: number;
  readonly alpha: number;
  /** Width of the line, dash and gap in device pixels; no gap: a solid line. */
  readonly thickness: number;
  readonly dash: number;
  readonly gap: number;
  /** Where in its dash the line begins: dashes of neighbours must not line up. */
  readonly phase: number;
}

/** Blends the spans into the image and empties them for the next line. */
export function blend(image: Int32Array, height: number, { low, high }: Spans, ink: StrokeStyle): void {
  const { rgb, dash, gap, phase } = ink;
  const square = ink.thickness * ink.thickness;
  const strength = Math.round(ink.alpha * 256);
  for (let column = 0; column < low.length; column += 1) {
    const lowest = low[column]!;
    const highest = high[column]!;
    if (lowest > highest) continue;
    low[column] = Infinity;
    high[column] = -Infinity;
    if (gap > 0 && (column + phase) % (dash + gap) >= dash) continue;
    // A slanted line is taller in a column than it is thick, by Pythagoras; the ink stays the same along the line.
    const half = Math.sqrt(square + (highest - lowest) * (highest - lowest)) / 2;
    const middle = (lowest + highest) / 2;
    const top = middle - half > 0 ? middle - half : 0;
    const bottom = middle + half < height ? middle + half : height;
    if (bottom > top) blendSpan(image, Math.imul(column, height), height, top, bottom, rgb, strength);
  }
}

const ALPHA_AND_GREEN = 0xff00ff00 | 0;
const RED_AND_BLUE = 0x00ff00ff;
const HALF = 0x00800080;

/** "Source over destination", two channels in one multiplication. The pixels at either end take the ink that falls on them. */
function blendSpan(
  image: Int32Array,
  base: number,
  height: number,
  top: number,
  bottom: number,
  rgb: number,
  strength: number,
): void {
  const first = top | 0;
  const last = bottom < height ? bottom | 0 : height - 1;
  if (first === last) return blendPixel(image, base + first, rgb, ((bottom - top) * strength) | 0);
  blendPixel(image, base + first, rgb, ((first + 1 - top) * strength) | 0);
  blendPixel(image, base + last, rgb, ((bottom - last) * strength) | 0);
  const keep = 256 - strength;
  const redBlue = (Math.imul(rgb & RED_AND_BLUE, strength) + HALF) | 0;
  const alphaGreen = (Math.imul(((rgb >>> 8) & 0xff) | 0xff0000, strength) + HALF) | 0;
  for (let at = base + first + 1, end = base + last; at < end; at += 1) {
    const below = image[at]!;
    image[at] =
      (((redBlue + Math.imul(below & RED_AND_BLUE, keep)) >>> 8) & RED_AND_BLUE) |
      ((alphaGreen + Math.imul((below >>> 8) & RED_AND_BLUE, keep)) & ALPHA_AND_GREEN);
  }
}

/** One pixel; strength is 0…256. */
function blendPixel(image: Int32Array, at: number, rgb: number, strength: number): void {
  const below = image[at]!;
  const keep = 256 - strength;
  image[at] =
    (((Math.imul(rgb & RED_AND_BLUE, strength) + Math.imul(below & RED_AND_BLUE, keep) + HALF) >>> 8) & RED_AND_BLUE) |
    ((Math.imul(((rgb >>> 8) & 0xff) | 0xff0000, strength) + Math.imul((below >>> 8) & RED_AND_BLUE, keep) + HALF) &
      ALPHA_AND_GREEN);
}

const UNMULTIPLY = Float32Array.from({ length: 256 }, (_, alpha) => (alpha === 0 ? 0 : 255 / alpha));

/** Turns columns into rows and premultiplied 0xAARRGGBB into the straight 0xAABBGGRR of ImageData. */
export function toImageData(image: Int32Array, width: number, height: number, out: Uint32Array): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = image[x * height + y]!;
      out[y * width + x] = pixel === 0 ? 0 : straight(pixel);
    }
  }
}

function straight(pixel: number): number {
  const alpha = pixel >>> 24;
  // Rounding in the blend leaves a full pixel one or two short of full.
  const factor = alpha > 252 ? 1 : UNMULTIPLY[alpha]!;
  const red = Math.min(255, ((pixel >>> 16) & 0xff) * factor) | 0;
  const green = Math.min(255, ((pixel >>> 8) & 0xff) * factor) | 0;
  const blue = Math.min(255, (pixel & 0xff) * factor) | 0;
  return (((alpha > 252 ? 255 : alpha) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
