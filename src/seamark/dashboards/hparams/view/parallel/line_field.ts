/**
 * Thousands of curves between parallel axes as sums in a field of pixels. A sum forgets the order in which it was made, so a
 * brush that moves adds the curves that come in and takes away those that leave: a frame costs what changed, not what is there.
 */

/** Where the axes stand, in pixels of the field; whole numbers, from left to right. */
export interface FieldShape {
  readonly width: number;
  readonly height: number;
  readonly xs: readonly number[];
  /** Pixels of the field for one of the page: curves are as much thicker. */
  readonly scale?: number;
}

/** Coverage of one pixel by one curve. Whole numbers: what was added can be taken away without a trace. */
const FULL = 16;
const HALF_THICKNESS = 0.55;
/** The best curves outweigh many poor ones where they cross. */
const MAX_WEIGHT = 12;

export class LineField {
  readonly width: number;
  readonly height: number;
  /** Column by column, as curves run: sixteenths of a pixel covered. */
  readonly cover: Int32Array;
  readonly #weight: Int32Array;
  readonly #good: Int32Array;
  readonly #xs: readonly number[];
  readonly #half: number;
  /** Of each column's left edge: how far along the curve from one axis to the next. */
  readonly #easings: readonly Float32Array[];

  constructor({ width, height, xs, scale = 1 }: FieldShape) {
    this.#half = HALF_THICKNESS * scale;
    this.width = width;
    this.height = height;
    this.cover = new Int32Array(width * height);
    this.#weight = new Int32Array(width * height);
    this.#good = new Int32Array(width * height);
    this.#xs = xs;
    this.#easings = xs.slice(1).map((x, gap) => easingsBetween(x - xs[gap]!));
  }

  /** `ys` has one place for each axis; `good` is 0 to 255. `sign` −1 takes away what +1 added. */
  add(ys: Float32Array, start: number, good: number, sign: 1 | -1): void {
    const weight = weightOf(good) * sign;
    const { height, cover } = this;
    const half = this.#half;
    const weights = this.#weight;
    const goods = this.#good;
    const weighedGood = weight * good;
    for (let gap = 0; gap < this.#easings.length; gap += 1) {
      const easings = this.#easings[gap]!;
      const from = ys[start + gap]!;
      const rise = ys[start + gap + 1]! - from;
      let left = from;
      let base = this.#xs[gap]! * height;
      for (let column = 1; column < easings.length; column += 1, base += height) {
        const right = from + rise * easings[column]!;
        const top = (left < right ? left : right) - half;
        const bottom = (left < right ? right : left) + half;
        left = right;
        const first = top < 0 ? 0 : Math.floor(top);
        const last = bottom >= height ? height - 1 : Math.floor(bottom);
        for (let y = first, at = base + first; y <= last; y += 1, at += 1) {
          const covered =
            y > top && y + 1 < bottom ? FULL : (((bottom < y + 1 ? bottom : y + 1) - (top > y ? top : y)) * FULL) | 0;
          cover[at]! += covered * sign;
          weights[at]! += covered * weight;
          goods[at]! += covered * weighedGood;
        }
      }
    }
  }

  clear(): void {
    this.cover.fill(0);
    this.#weight.fill(0);
    this.#good.fill(0);
  }

  /** Each pixel in the colour of the weighted mean of its curves; row by row, as a canvas has them (red, green, blue, alpha in memory). */
  colour(pixels: Uint32Array, ramp: Uint32Array, alpha: number): void {
    const alphas = alphasFor(alpha);
    // Poor curves are fainter than good ones, but where there are few, none may vanish.
    const least = 90 + 90 * alpha;
    const rise = (254 - least) / 255;
    const [weights, goods] = [this.#weight, this.#good];
    this.#each((at, covered, to) => {
      const weight = weights[at]!;
      const good = weight === 0 ? 0 : (goods[at]! / weight + 0.5) | 0;
      pixels[to] = opaqueBytes(ramp[good]!) | ((alphas[covered]! * (least + rise * good)) << 24);
    });
  }

  /** The same in one colour: what lies outside the brush. */
  shade(pixels: Uint32Array, rgb: number, alpha: number, maxAlpha: number): void {
    const alphas = alphasFor(alpha);
    const bytes = opaqueBytes(rgb);
    this.#each((_, covered, to) => (pixels[to] = bytes | ((Math.min(maxAlpha, alphas[covered]!) * 255) << 24)));
  }

  #each(paint: (at: number, covered: number, to: number) => void): void {
    const { width, height, cover } = this;
    for (let x = 0; x < width; x += 1) {
      for (let y = 0, at = x * height, to = x; y < height; y += 1, at += 1, to += width) {
        const covered = cover[at]!;
        if (covered !== 0) paint(at, covered < LONGEST ? covered : LONGEST - 1, to);
      }
    }
  }
}

/** 0xRRGGBB as a canvas has it in memory, without its alpha. */
const opaqueBytes = (rgb: number): number => ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);

const weightOf = (good: number): number => 1 + Math.round((good / 255) ** 3 * (MAX_WEIGHT - 1));

/** Leaves and reaches both axes level, as a cubic with its handles at 42 % of the way does. */
export function easeAt(share: number): number {
  // Solve x(t) = share for the curve with handles (.42, 0) and (.58, 1); three steps of Newton are exact to a thousandth.
  let t = share;
  for (let step = 0; step < 4; step += 1) {
    const x = 3 * HANDLE * t * (1 - t) ** 2 + 3 * (1 - HANDLE) * t ** 2 * (1 - t) + t ** 3;
    const slope = 3 * HANDLE * (1 - t) ** 2 + 6 * (1 - 2 * HANDLE) * t * (1 - t) + 3 * HANDLE * t ** 2;
    t -= (x - share) / slope;
  }
  return t * t * (3 - 2 * t);
}

export const HANDLE = 0.42;

function easingsBetween(columns: number): Float32Array {
  return Float32Array.from({ length: columns + 1 }, (_, column) => easeAt(column / columns));
}

/** By sixteenths: many faint curves on top of each other grow dark, and never darker than full. */
const LONGEST = 64 * FULL;
function alphasFor(alpha: number): Float32Array {
  return Float32Array.from({ length: LONGEST }, (_, covered) => 1 - (1 - alpha) ** (covered / FULL));
}

/** The fewer curves, the stronger each. */
export const alphaFor = (curves: number): number => Math.min(0.85, Math.max(0.12, 6 / Math.sqrt(Math.max(1, curves))));
