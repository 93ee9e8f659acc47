/** The edge at a point of the plane. */

import type { LayoutResult } from "../layout/types";

/** The nearest edge within `reach` of the point; -1 for none. `bounds`: left, top, right, bottom of each edge. */
export function edgeAt(
  { points, pointStarts }: LayoutResult,
  bounds: Float64Array,
  { x, y }: { readonly x: number; readonly y: number },
  reach: number,
): number {
  let [found, least] = [-1, reach];
  for (let edge = 0; edge + 1 < pointStarts.length; edge += 1) {
    const [left, top, right, bottom] = bounds.subarray(4 * edge, 4 * edge + 4);
    if (x < left! - reach || x > right! + reach || y < top! - reach || y > bottom! + reach) continue;
    for (let at = pointStarts[edge]!; at + 1 < pointStarts[edge + 1]!; at += 1) {
      const [x0, y0, x1, y1] = points.subarray(2 * at, 2 * at + 4);
      const distance = distanceTo(x - x0!, y - y0!, x1! - x0!, y1! - y0!);
      if (distance <= least) [found, least] = [edge, distance];
    }
  }
  return found;
}

/** From a point to a piece of a line that begins at the origin. */
function distanceTo(x: number, y: number, dx: number, dy: number): number {
  const length = dx * dx + dy * dy;
  const share = length > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy) / length)) : 0;
  return Math.hypot(x - share * dx, y - share * dy);
}
