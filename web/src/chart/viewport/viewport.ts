/**
 * The part of a free plane that is on screen: an image, a graph, a scatter, a trace. A viewport is a value; panning and
 * zooming return another one. There is no inertia: what is under the pointer stays under it and stops with it.
 *
 * Positions are exact over 64 bits: whole units as a bigint and the fraction of one. So a window of ten nanoseconds in the
 * year 2026 is as exact as one at 0. Marks are drawn relative to an origin near them (`transformOf`).
 */

import type { Transform } from "../marks/marks";

export interface Position {
  readonly whole: bigint;
  /** From 0 to just below 1. */
  readonly fraction: number;
}

/** A coordinate of the plane; a bigint where a number cannot hold it. */
export type Coordinate = number | bigint;

export interface AxisView {
  /** At pixel 0. */
  readonly start: Position;
  readonly unitsPerPx: number;
}

export interface Viewport {
  readonly x: AxisView;
  /** Grows downwards, as pixels do. */
  readonly y: AxisView;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Bounds {
  readonly left: Coordinate;
  readonly right: Coordinate;
  readonly top: Coordinate;
  readonly bottom: Coordinate;
}

/** How far a person may go. */
export interface Limits {
  readonly size: Size;
  /** What there is to see: some pixels of it stay on screen, so that nobody loses it. */
  readonly bounds: Bounds;
  readonly minVisiblePx: number;
  readonly minUnitsPerPx: number;
  readonly maxUnitsPerPx: number;
}

export function positionOf(at: Coordinate): Position {
  if (typeof at === "bigint") return { whole: at, fraction: 0 };
  const whole = Math.floor(at);
  return { whole: BigInt(whole), fraction: at - whole };
}

/** Moved by a number of units. */
export function shift({ whole, fraction }: Position, units: number): Position {
  const moved = Math.floor(units);
  const sum = fraction + (units - moved);
  // A sum just below a whole unit may round up to it.
  return sum >= 1
    ? { whole: whole + BigInt(moved) + 1n, fraction: sum - 1 }
    : { whole: whole + BigInt(moved), fraction: sum };
}

/** In units, as exactly as a number can be: the whole parts are subtracted first. */
export const distance = (from: Position, to: Position): number =>
  Number(to.whole - from.whole) + (to.fraction - from.fraction);

export const toPixel = ({ start, unitsPerPx }: AxisView, at: Coordinate): number =>
  distance(start, positionOf(at)) / unitsPerPx;

export const fromPixel = ({ start, unitsPerPx }: AxisView, pixel: number): Position => shift(start, pixel * unitsPerPx);

/** How marks are drawn whose columns count from this origin. */
export function transformOf({ x, y }: Viewport, origin: { readonly x: Coordinate; readonly y: Coordinate }): Transform {
  return {
    scaleX: 1 / x.unitsPerPx,
    scaleY: 1 / y.unitsPerPx,
    offsetX: toPixel(x, origin.x),
    offsetY: toPixel(y, origin.y),
  };
}

/** The picture moves by so many pixels. */
export function pan(view: Viewport, dx: number, dy: number, limits?: Limits): Viewport {
  const moved = (axis: AxisView, by: number): AxisView => ({
    ...axis,
    start: shift(axis.start, -by * axis.unitsPerPx),
  });
  return within({ x: moved(view.x, dx), y: moved(view.y, dy) }, limits);
}

export type ZoomAxes = "both" | "x";

/** Larger by a factor; the point at these pixels stays where it is. */
export function zoomAt(view: Viewport, factor: number, at: Point, limits?: Limits, axes: ZoomAxes = "both"): Viewport {
  const zoomed = (axis: AxisView, pixel: number): AxisView => {
    const wanted = axis.unitsPerPx / factor;
    const unitsPerPx = limits ? Math.min(limits.maxUnitsPerPx, Math.max(limits.minUnitsPerPx, wanted)) : wanted;
    return { start: shift(axis.start, pixel * (axis.unitsPerPx - unitsPerPx)), unitsPerPx };
  };
  return within({ x: zoomed(view.x, at.x), y: axes === "x" ? view.y : zoomed(view.y, at.y) }, limits);
}

/** Two fingers went from one pair of pixels to another: what was under them still is, as far as a plane without turning can. */
export function pinch(
  view: Viewport,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  limits?: Limits,
  axes: ZoomAxes = "both",
): Viewport {
  const middle = ([a, b]: readonly [Point, Point]): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const apart = ([a, b]: readonly [Point, Point]): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  const [from, to] = [middle(before), middle(after)];
  return pan(zoomAt(view, apart(after) / apart(before), from, limits, axes), to.x - from.x, to.y - from.y, limits);
}

/** All of it, in the middle, with the same scale along both axes. */
export function fit(bounds: Bounds, size: Size, paddingPx = 0): Viewport {
  const [wide, high] = extentOf(bounds);
  const unitsPerPx = Math.max(
    wide / Math.max(1, size.width - 2 * paddingPx),
    high / Math.max(1, size.height - 2 * paddingPx),
  );
  return centred(bounds, size, unitsPerPx || 1);
}

export function centred(bounds: Bounds, size: Size, unitsPerPx: number): Viewport {
  const [wide, high] = extentOf(bounds);
  // On whole pixels: an image must not be blurred by half of one.
  const axis = (start: Coordinate, extent: number, room: number): AxisView => ({
    start: shift(positionOf(start), -Math.round((room - extent / unitsPerPx) / 2) * unitsPerPx),
    unitsPerPx,
  });
  return { x: axis(bounds.left, wide, size.width), y: axis(bounds.top, high, size.height) };
}

const extentOf = ({ left, right, top, bottom }: Bounds): readonly [width: number, height: number] => [
  distance(positionOf(left), positionOf(right)),
  distance(positionOf(top), positionOf(bottom)),
];

function within(view: Viewport, limits: Limits | undefined): Viewport {
  if (!limits) return view;
  const { size, bounds, minVisiblePx } = limits;
  const held = (axis: AxisView, from: Coordinate, to: Coordinate, room: number): AxisView => {
    const [first, last] = [toPixel(axis, from), toPixel(axis, to)];
    const back =
      first > room - minVisiblePx ? first - (room - minVisiblePx) : last < minVisiblePx ? last - minVisiblePx : 0;
    return back === 0 ? axis : { ...axis, start: shift(axis.start, back * axis.unitsPerPx) };
  };
  return {
    x: held(view.x, bounds.left, bounds.right, size.width),
    y: held(view.y, bounds.top, bounds.bottom, size.height),
  };
}
