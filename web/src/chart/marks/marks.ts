/**
 * What a surface draws: columns of numbers and how they look. Plain data, so that a worker can make it and every
 * renderer (WebGL, software) draws the same. Columns are never changed in place: a renderer uploads an array once and
 * finds it again by identity.
 */

/** From the units of a mark to CSS pixels: pixel = value × scale + offset. */
export interface Transform {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

export const PIXELS: Transform = { scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0 };

/** In CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Placed {
  readonly transform: Transform;
  /** Nothing is drawn outside of it. */
  readonly clip?: Box;
}

/** One colour, or one for each item, as `pixelOf` makes them (0xAABBGGRR). */
type Colour = number | Uint32Array;

/** Round dots. */
export interface PointsMark extends Placed {
  readonly type: "points";
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Which points, first to last: the last lies on top. All of them without it. */
  readonly order?: Uint32Array;
  readonly colour: Colour;
  /** In CSS pixels. */
  readonly radius: number;
}

/** Straight lines with round ends; NaN is a gap. A line has the colour of the point where it begins; where translucent lines meet, both show. */
export interface LinesMark extends Placed {
  readonly type: "lines";
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** One line through all points, or a line between the points of each pair. */
  readonly isJoined: boolean;
  readonly colour: Colour;
  /** In CSS pixels. */
  readonly width: number;
}

/** Rectangles, also bars and slices. */
export interface RectsMark extends Placed {
  readonly type: "rects";
  readonly x0: Float32Array;
  readonly x1: Float32Array;
  readonly y0: Float32Array;
  readonly y1: Float32Array;
  readonly colour: Colour;
}

/** What lies between two lines over the same x; NaN is a gap. */
export interface AreaMark extends Placed {
  readonly type: "area";
  readonly x: Float32Array;
  readonly low: Float32Array;
  readonly high: Float32Array;
  readonly colour: number;
}

export type Mark = PointsMark | LinesMark | RectsMark | AreaMark;

export const colourAt = ({ colour }: { readonly colour: Colour }, item: number): number =>
  typeof colour === "number" ? colour : colour[item]!;

/** The parts of a colour as renderers need them, each 0 to 1. */
export function channelsOf(pixel: number): readonly [red: number, green: number, blue: number, alpha: number] {
  return [(pixel & 255) / 255, ((pixel >>> 8) & 255) / 255, ((pixel >>> 16) & 255) / 255, (pixel >>> 24) / 255];
}

/** Bars of these heights on the baseline y = `base`, in the middle of steps along x; up is towards smaller y, as on the screen. */
export function barsOf(
  heights: ArrayLike<number>,
  { left, step, base, width }: { left: number; step: number; base: number; width: number },
): Pick<RectsMark, "x0" | "x1" | "y0" | "y1"> {
  const start = (bar: number): number => left + (bar + 0.5) * step - width / 2;
  const bars = heights.length;
  return {
    x0: Float32Array.from({ length: bars }, (_, bar) => start(bar)),
    x1: Float32Array.from({ length: bars }, (_, bar) => start(bar) + width),
    y0: new Float32Array(bars).fill(base),
    y1: Float32Array.from({ length: bars }, (_, bar) => base - heights[bar]!),
  };
}
