/** Finds points by where they are, in logarithmic time: the nearest one, those in a box, those in a lasso. */

import KDBush from "kdbush";
import type { Box } from "./marks";
import { lassoTest, type Polygon } from "./lasso";

export class PointIndex {
  readonly #tree: KDBush | null;
  readonly #x: Float32Array;
  readonly #y: Float32Array;
  /** The point of each item of the tree: points that are not finite are in none. */
  readonly #points: Uint32Array;

  /** Points by their position in both columns, which have one length; in the units in which distances are measured. */
  constructor(x: Float32Array, y: Float32Array) {
    this.#x = x;
    this.#y = y;
    this.#points = Uint32Array.from(x.keys()).filter((point) => Number.isFinite(x[point]! + y[point]!));
    this.#tree = this.#points.length > 0 ? new KDBush(this.#points.length, 64, Float32Array) : null;
    for (const point of this.#points) this.#tree?.add(x[point]!, y[point]!);
    this.#tree?.finish();
  }

  /** The nearest point within `reach` that `accepts` lets pass, the last one of equals; null without any. */
  nearest(x: number, y: number, reach: number, accepts: (point: number) => boolean = () => true): number | null {
    let [best, bestAway] = [null as number | null, Infinity];
    for (const item of this.#tree?.within(x, y, reach) ?? []) {
      const point = this.#points[item]!;
      const away = Math.hypot(this.#x[point]! - x, this.#y[point]! - y);
      const isBetter = away < bestAway || (away === bestAway && point > best!);
      if (isBetter && accepts(point)) [best, bestAway] = [point, away];
    }
    return best;
  }

  /** The points in the box and on its edges, in ascending order. */
  inBox({ left, top, right, bottom }: Box): Uint32Array {
    const items = this.#tree?.range(left, top, right, bottom) ?? [];
    return Uint32Array.from(items, (item) => this.#points[item]!).sort();
  }

  /** The points inside the lasso, in ascending order. */
  inLasso(lasso: Polygon): Uint32Array {
    const isInside = lassoTest(lasso);
    return this.inBox(boundsOf(lasso)).filter((point) => isInside(this.#x[point]!, this.#y[point]!));
  }
}

function boundsOf({ x, y }: Polygon): Box {
  return { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
}
