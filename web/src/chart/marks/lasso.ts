/** What a person draws around marks: a box or a free line, and which marks they hold. */

import type { Box, RectsMark } from "./marks";

/** The corners in the order they were drawn; the last is joined to the first. */
export interface Polygon {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

const BANDS = 128;

/**
 * Returns the test whether a point is inside; a lasso that crosses itself holds what an odd number of its turns surround.
 *
 * The edges are sorted into bands of y once: so a point is compared with few of them, however long the lasso is.
 */
export function lassoTest({ x, y }: Polygon): (px: number, py: number) => boolean {
  const [low, high] = [Math.min(...y), Math.max(...y)];
  const perUnit = high > low ? BANDS / (high - low) : 0;
  const bandOf = (value: number): number => Math.min(BANDS - 1, Math.floor((value - low) * perUnit));
  const bands = Array.from({ length: BANDS }, (): number[] => []);
  for (let at = 0; at < y.length; at += 1) {
    const [from, to] = [bandOf(y.at(at - 1)!), bandOf(y[at]!)];
    for (let band = Math.min(from, to); band <= Math.max(from, to); band += 1) bands[band]!.push(at);
  }
  return (px, py) => {
    if (!(py >= low && py <= high)) return false;
    let isInside = false;
    for (const at of bands[bandOf(py)]!) {
      const before = at === 0 ? x.length - 1 : at - 1;
      const [fromY, toY] = [y[before]!, y[at]!];
      if (fromY > py === toY > py) continue;
      if (px < ((x[at]! - x[before]!) * (py - fromY)) / (toY - fromY) + x[before]!) isInside = !isInside;
    }
    return isInside;
  };
}

/** Adds a corner unless the pointer has hardly moved: a long drag stays a few hundred corners. */
export function extendLasso({ x, y }: Polygon, px: number, py: number, stepPx = 3): Polygon {
  const last = x.length - 1;
  if (last >= 0 && Math.hypot(px - x[last]!, py - y[last]!) < stepPx) return { x, y };
  return { x: [...x, px], y: [...y, py] };
}

/** The box between two corners, whichever they are. */
export function boxBetween(from: { x: number; y: number }, to: { x: number; y: number }): Box {
  return {
    left: Math.min(from.x, to.x),
    right: Math.max(from.x, to.x),
    top: Math.min(from.y, to.y),
    bottom: Math.max(from.y, to.y),
  };
}

type Rects = Pick<RectsMark, "x0" | "x1" | "y0" | "y1">;

/** The rectangle under a point, in the units of the mark: the last one drawn, hence on top; null beside all. */
export function rectAt({ x0, x1, y0, y1 }: Rects, x: number, y: number): number | null {
  const isBetween = (value: number, a: number, b: number): boolean =>
    a < b ? a <= value && value < b : b <= value && value < a;
  for (let item = x0.length - 1; item >= 0; item -= 1)
    if (isBetween(x, x0[item]!, x1[item]!) && isBetween(y, y0[item]!, y1[item]!)) return item;
  return null;
}

/** The rectangles that a box touches. */
export function rectsInBox({ x0, x1, y0, y1 }: Rects, { left, right, top, bottom }: Box): number[] {
  const touches = (a: number, b: number, low: number, high: number): boolean =>
    Math.min(a, b) <= high && Math.max(a, b) >= low;
  return [...x0.keys()].filter(
    (item) => touches(x0[item]!, x1[item]!, left, right) && touches(y0[item]!, y1[item]!, top, bottom),
  );
}
