/** What zooming and panning do to the shown ranges. Works along the bent axes, so that a log axis zooms evenly. */

import type { Frame } from "./frame";
import { between, type Range, type Scale } from "./scale";

/** What a person asked to see; null: as the data has it. */
export interface Limits {
  readonly x: Range | null;
  readonly y: Range | null;
}

export const NO_LIMITS: Limits = { x: null, y: null };

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A drag this short is a click; a box this flat zooms one axis only. */
export const CLICK_PX = 4;
const FLAT_PX = 12;

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The box spanned by a drag, inside the plot; flat ones reach across it. Null for what is only a click. */
export function boxOf(frame: Frame, from: Point, to: Point): Box | null {
  const wide = Math.abs(to.x - from.x);
  const high = Math.abs(to.y - from.y);
  if (Math.max(wide, high) < CLICK_PX) return null;
  const alongX = high < FLAT_PX && wide >= high;
  const alongY = wide < FLAT_PX && !alongX;
  const within = (value: number, low: number, top: number): number => Math.min(Math.max(value, low), top);
  return {
    left: alongY ? frame.left : within(Math.min(from.x, to.x), frame.left, frame.right),
    right: alongY ? frame.right : within(Math.max(from.x, to.x), frame.left, frame.right),
    top: alongX ? frame.top : within(Math.min(from.y, to.y), frame.top, frame.bottom),
    bottom: alongX ? frame.bottom : within(Math.max(from.y, to.y), frame.top, frame.bottom),
  };
}

/** An axis that the box spans from end to end keeps the limits it has. */
export function zoomToBox(frame: Frame, limits: Limits, box: Box): Limits {
  const wholeX = box.left <= frame.left && box.right >= frame.right;
  const wholeY = box.top <= frame.top && box.bottom >= frame.bottom;
  return {
    x: wholeX ? limits.x : deepest(frame.x, { from: frame.fromX(box.left), to: frame.fromX(box.right) }),
    y: wholeY ? limits.y : deepest(frame.y, { from: frame.fromY(box.bottom), to: frame.fromY(box.top) }),
  };
}

/** Below this share of its own size a range runs out of digits: the zoom stops there. */
const LEAST_SHARE = 1e-12;

function deepest(old: Range, wanted: Range): Range {
  const size = Math.max(Math.abs(wanted.from), Math.abs(wanted.to));
  return wanted.to - wanted.from > size * LEAST_SHARE ? wanted : old;
}

/** By how much a turn of the wheel zooms. */
export function wheelFactor(deltaY: number, deltaMode: number): number {
  const pixels = deltaMode === 1 ? deltaY * 16 : deltaMode === 2 ? deltaY * 400 : deltaY;
  return Math.exp(Math.min(Math.max(pixels, -200), 200) * 0.002);
}

/** Zoom around a point. y follows the data unless it was set. */
export function zoomAt(frame: Frame, limits: Limits, at: Point, factor: number): Limits {
  const shareX = (at.x - frame.left) / (frame.right - frame.left);
  const shareY = (frame.bottom - at.y) / (frame.bottom - frame.top);
  return {
    x: deepest(frame.x, scaled(frame.xScale, frame.x, shareX, factor)),
    y: limits.y ? deepest(frame.y, scaled(frame.yScale, frame.y, shareY, factor)) : null,
  };
}

function scaled(scale: Scale, range: Range, share: number, factor: number): Range {
  return { from: between(scale, range, share * (1 - factor)), to: between(scale, range, share + (1 - share) * factor) };
}

/** The frame at the start of a drag, moved by pixels: the point under the pointer stays under it. */
export function pan(frame: Frame, dx: number, dy: number): Limits {
  const shareX = dx / (frame.right - frame.left);
  const shareY = dy / (frame.bottom - frame.top);
  return {
    x: { from: between(frame.xScale, frame.x, -shareX), to: between(frame.xScale, frame.x, 1 - shareX) },
    y: { from: between(frame.yScale, frame.y, shareY), to: between(frame.yScale, frame.y, 1 + shareY) },
  };
}

/** The frame at the start of a gesture of two fingers: the points under them stay under them. y follows the data unless it was set. */
export function pinch(
  frame: Frame,
  limits: Limits,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
): Limits {
  const [start, end] = [middle(from), middle(to)];
  const zoomed = zoomAt(frame, limits, start, distance(from) / Math.max(distance(to), 1));
  const shareX = (end.x - start.x) / (frame.right - frame.left);
  const shareY = (end.y - start.y) / (frame.bottom - frame.top);
  const moved = (scale: Scale, range: Range, share: number): Range => ({
    from: between(scale, range, -share),
    to: between(scale, range, 1 - share),
  });
  return {
    x: zoomed.x && moved(frame.xScale, zoomed.x, shareX),
    y: zoomed.y && moved(frame.yScale, zoomed.y, -shareY),
  };
}

const distance = ([a, b]: readonly [Point, Point]): number => Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1);
const middle = ([a, b]: readonly [Point, Point]): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
