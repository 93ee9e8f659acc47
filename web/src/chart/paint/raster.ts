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
    if (lastX !== lastX) reach(spans, Math.floor(x), y, y);
    else if (lastX <= x) segment(spans, lastX, lastY, x, y);
    else segment(spans, x, y, lastX, lastY);
    lastX = x;
    lastY = y;
  }
}

function segment(spans: Spans, x0: number, y0: number, x1: number, y1: number): void {
  const width = spans.low.length;
  const first = Math.floor(x0);
  const last = Math.floor(x1);
  if (first === last) return reach(spans, first, y0, y1);
  if (last < 0 || first >= width) return;
  const slope = (y1 - y0) / (x1 - x0);
  const from = first < 0 ? 0 : first;
  const to = last >= width ? width : last;
  let y = first < 0 ? y0 - slope * x0 : y0;
  let next = y0 + slope * (from + 1 - x0);
  for (let column = from; column < to; column += 1) {
    reach(spans, column, y, next);
    y = next;
    next += slope;
  }
  if (last < width) reach(spans, last, y, y1);
}

function reach({ low, high }: Spans, column: number, a: number, b: number): void {
  if (column < 0 || column >= low.length) return;
  const least = a < b ? a : b;
  const most = a < b ? b : a;
  if (least < low[column]!) low[column] = least;
  if (most > high[column]!) high[column] = most;
}

export interface Ink {
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
export function blend(image: Uint32Array, height: number, spans: Spans, ink: Ink): void {
  const { low, high } = spans;
  const period = ink.dash + ink.gap;
  const square = ink.thickness * ink.thickness;
  const strength = Math.round(ink.alpha * 256);
  for (let column = 0; column < low.length; column += 1) {
    const lowest = low[column]!;
    const highest = high[column]!;
    if (lowest > highest) continue;
    low[column] = Infinity;
    high[column] = -Infinity;
    if (ink.gap > 0 && (column + ink.phase) % period >= ink.dash) continue;
    // A slanted line is taller in a column than it is thick, by Pythagoras; the ink stays the same along the line.
    const half = Math.sqrt(square + (highest - lowest) * (highest - lowest)) / 2;
    const middle = (lowest + highest) / 2;
    blendSpan(image, column * height, Math.max(0, middle - half), Math.min(height, middle + half), ink.rgb, strength);
  }
}

function blendSpan(image: Uint32Array, base: number, top: number, bottom: number, rgb: number, strength: number): void {
  if (!(bottom > top)) return;
  const first = Math.floor(top);
  const last = Math.ceil(bottom) - 1;
  if (first === last) return over(image, base + first, rgb, ((bottom - top) * strength) | 0);
  over(image, base + first, rgb, ((first + 1 - top) * strength) | 0);
  for (let y = first + 1; y < last; y += 1) over(image, base + y, rgb, strength);
  over(image, base + last, rgb, ((bottom - last) * strength) | 0);
}

/** "Source over destination" with two channels in one multiplication; strength is 0…256. */
function over(image: Uint32Array, at: number, rgb: number, strength: number): void {
  if (strength >= 256) {
    image[at] = 0xff000000 | rgb;
    return;
  }
  const below = image[at]!;
  const keep = 256 - strength;
  const even = (Math.imul(rgb & 0xff00ff, strength) + Math.imul(below & 0xff00ff, keep) + 0x800080) >>> 8 & 0xff00ff;
  const odd = (Math.imul(rgb >>> 8 & 0xff | 0xff0000, strength) + Math.imul(below >>> 8 & 0xff00ff, keep) + 0x800080) & 0xff00ff00;
  image[at] = even | odd;
}

const UNMULTIPLY = Float32Array.from({ length: 256 }, (_, alpha) => (alpha === 0 ? 0 : 255 / alpha));

/** Turns columns into rows and premultiplied 0xAARRGGBB into the straight 0xAABBGGRR of ImageData. */
export function develop(image: Uint32Array, width: number, height: number, out: Uint32Array): void {
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
  const red = Math.min(255, (pixel >>> 16 & 0xff) * factor) | 0;
  const green = Math.min(255, (pixel >>> 8 & 0xff) * factor) | 0;
  const blue = Math.min(255, (pixel & 0xff) * factor) | 0;
  return ((alpha > 252 ? 255 : alpha) << 24 | blue << 16 | green << 8 | red) >>> 0;
}
