/** Keeps what a person looks at in its place when the layout changes. */

import { viewports, type Viewport } from "$public/charts";

export interface PlacedBoxes {
  readonly ids: readonly string[];
  readonly rects: Float64Array;
}

/**
 * The viewport for the next layout in which the top left corner of a box has the same pixel as before: the box `wanted`,
 * or, if one of the layouts does not have it, the box nearest to the point `near` of the plane.
 */
export function anchor(
  view: Viewport,
  previous: PlacedBoxes,
  next: PlacedBoxes,
  wanted: string | null,
  near: { readonly x: number; readonly y: number },
): Viewport {
  const index = new Map(next.ids.map((id, box) => [id, box]));
  const before = previous.ids.indexOf(wanted ?? "");
  const from = before >= 0 && index.has(wanted!) ? before : nearestShared(previous, index, near);
  if (from < 0) return view;
  const to = index.get(previous.ids[from]!)!;
  const dx = next.rects[4 * to]! - previous.rects[4 * from]!;
  const dy = next.rects[4 * to + 1]! - previous.rects[4 * from + 1]!;
  return viewports.pan(view, -dx / view.x.unitsPerPx, -dy / view.y.unitsPerPx);
}

function nearestShared(
  { ids, rects }: PlacedBoxes,
  next: ReadonlyMap<string, number>,
  { x, y }: { readonly x: number; readonly y: number },
): number {
  let [nearest, least] = [-1, Infinity];
  ids.forEach((id, box) => {
    const distance = Math.hypot(rects[4 * box]! - x, rects[4 * box + 1]! - y);
    if (distance >= least || !next.has(id)) return;
    [nearest, least] = [box, distance];
  });
  return nearest;
}
