/** Keeps what a person looks at in its place when the layout changes. */

import { viewports, type Viewport } from "$public/charts";

export interface PlacedBoxes {
  readonly ids: readonly string[];
  readonly rects: Float64Array;
}

/** The part of the plane that is on screen. */
export interface ScreenRect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Shift {
  readonly dx: number;
  readonly dy: number;
}

/**
 * The viewport for the next layout in which boxes on screen have the same pixel as before: the top of the box `wanted`,
 * and sideways as many of the boxes that its change does not push away as possible. A group grows to both sides, so it
 * is they that stay, not its corner; one that is alone on screen keeps its corner.
 */
export function anchor(
  view: Viewport,
  previous: PlacedBoxes,
  next: PlacedBoxes,
  wanted: string | null,
  screen: ScreenRect,
): Viewport {
  const index = new Map(next.ids.map((id, box) => [id, box]));
  const from = previous.ids.indexOf(wanted ?? "");
  const isWantedSeen = from >= 0 && isOnScreen(previous.rects, from, screen);
  const near = isWantedSeen ? cornerOf(previous.rects, from) : middleOf(screen);
  const held = isWantedSeen && index.has(wanted!) ? from : nearestShared(previous, index, near);
  if (held < 0) return view;
  const shift = shiftOf(previous, next, index, held);
  const dx = mostFrequent(unpushed(previous, next, index, shift.dy, screen)) ?? shift.dx;
  return viewports.pan(view, -dx / view.x.unitsPerPx, -shift.dy / view.y.unitsPerPx);
}

const cornerOf = (rects: Float64Array, box: number): { x: number; y: number } => ({
  x: rects[4 * box]!,
  y: rects[4 * box + 1]!,
});

const middleOf = ({ left, top, right, bottom }: ScreenRect): { x: number; y: number } => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});

function isOnScreen(rects: Float64Array, box: number, { left, top, right, bottom }: ScreenRect): boolean {
  const [x, y] = [rects[4 * box]!, rects[4 * box + 1]!];
  return x < right && y < bottom && x + rects[4 * box + 2]! > left && y + rects[4 * box + 3]! > top;
}

function shiftOf(previous: PlacedBoxes, next: PlacedBoxes, index: ReadonlyMap<string, number>, box: number): Shift {
  const to = index.get(previous.ids[box]!)!;
  return {
    dx: next.rects[4 * to]! - previous.rects[4 * box]!,
    dy: next.rects[4 * to + 1]! - previous.rects[4 * box + 1]!,
  };
}

/** How far the boxes on screen of unchanged size move sideways if the layout is moved by `dy`, and they with it. */
function unpushed(
  previous: PlacedBoxes,
  next: PlacedBoxes,
  index: ReadonlyMap<string, number>,
  dy: number,
  screen: ScreenRect,
): number[] {
  const found: number[] = [];
  previous.ids.forEach((id, box) => {
    const to = index.get(id);
    if (to === undefined || !isOnScreen(previous.rects, box, screen)) return;
    const isSameSize =
      next.rects[4 * to + 2] === previous.rects[4 * box + 2] && next.rects[4 * to + 3] === previous.rects[4 * box + 3];
    const shift = shiftOf(previous, next, index, box);
    if (isSameSize && shift.dy === dy) found.push(shift.dx);
  });
  return found;
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[number | undefined, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [undefined, 0],
  )[0];
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
