/** Fingers on a chart: two zoom, one pans a zoomed chart along x. Up and down is left to the page, which scrolls. */

import type { Frame } from "./frame";
import { CLICK_PX, pan, pinch, type Limits, type Point } from "./gesture";

export class Fingers {
  readonly #now = new Map<number, Point>();
  #start: { readonly frame: Frame; readonly points: ReadonlyMap<number, Point> } | null = null;
  #isTap = true;

  press(id: number, point: Point, frame: Frame): void {
    this.#isTap = this.#now.size === 0;
    this.#now.set(id, point);
    this.#start = { frame, points: new Map(this.#now) };
  }

  /** The limits that the chart should have; null when the finger only points. */
  move(id: number, point: Point, limits: Limits): Limits | null {
    const from = this.#start?.points.get(id);
    if (!this.#start || !from) return null;
    this.#now.set(id, point);
    if (Math.hypot(point.x - from.x, point.y - from.y) >= CLICK_PX) this.#isTap = false;
    const ids = [...this.#now.keys()];
    if (ids.length === 2)
      return pinch(this.#start.frame, limits, this.#pair(this.#start.points), this.#pair(this.#now));
    return ids.length === 1 && limits.x ? { x: pan(this.#start.frame, point.x - from.x, 0).x, y: limits.y } : null;
  }

  /** Whether it was a tap. A finger that stays starts anew. */
  release(id: number, frame: Frame | null): boolean {
    this.#now.delete(id);
    this.#start = frame && this.#now.size > 0 ? { frame, points: new Map(this.#now) } : null;
    return this.#isTap;
  }

  #pair(points: ReadonlyMap<number, Point>): [Point, Point] {
    return [...points.values()].slice(0, 2) as [Point, Point];
  }
}
