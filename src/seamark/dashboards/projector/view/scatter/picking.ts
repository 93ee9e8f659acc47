/** Which rows are where in the picture: the nearest to a pixel, those in a drawn area, the next one in a direction. */

import type { Point, Polygon } from "$public/charts";
import type { Plane, Positions } from "./camera";
import { HIDDEN } from "./colours";

export interface Pickable {
  readonly positions: Positions;
  readonly plane: Plane;
  /** Hidden rows cannot be picked. */
  readonly emphasis: Uint8Array;
}

/** Calls `take` with every shown row and its pixels. A million rows take a few milliseconds, hence there is no index to keep up to date. */
function eachPixel({ positions, plane, emphasis }: Pickable, take: (row: number, u: number, v: number) => void): void {
  const { x, y, z } = positions;
  const [ux, uy, uz, u0] = plane.u;
  const [vx, vy, vz, v0] = plane.v;
  for (let row = 0; row < x.length; row += 1) {
    if (emphasis[row] === HIDDEN) continue;
    const [px, py, pz] = [x[row]!, y[row]!, z === null ? 0 : z[row]!];
    take(row, ux * px + uy * py + uz * pz + u0, vx * px + vy * py + vz * pz + v0);
  }
}

export function nearestRow(pickable: Pickable, at: Point, reachPx: number): number | null {
  let best: number | null = null;
  let bestAway = reachPx * reachPx;
  eachPixel(pickable, (row, u, v) => {
    const away = (u - at.x) ** 2 + (v - at.y) ** 2;
    // The last of equals is on top.
    if (away <= bestAway) [best, bestAway] = [row, away];
  });
  return best;
}

export type Direction = "left" | "right" | "up" | "down";

const STEPS: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/** The nearest row within 45 degrees of a direction; null without any. */
export function nearestTowards(pickable: Pickable, from: Point, direction: Direction, except: number): number | null {
  const [dx, dy] = STEPS[direction];
  let best: number | null = null;
  let bestAway = Infinity;
  eachPixel(pickable, (row, u, v) => {
    const along = (u - from.x) * dx + (v - from.y) * dy;
    const across = Math.abs((u - from.x) * dy) + Math.abs((v - from.y) * dx);
    if (row === except || along <= 0 || across > along) return;
    const away = along * along + across * across;
    if (away < bestAway) [best, bestAway] = [row, away];
  });
  return best;
}

/** The pixels of a drawn area: looking a point up takes the same time however long its edge is. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 1 for each pixel inside. */
  readonly inside: Uint8Array;
}

/** What an odd number of turns surround is inside, as for every lasso of the page. */
export function areaOf({ x, y }: Polygon): Area {
  if (x.length < 3) return { left: 0, top: 0, width: 0, height: 0, inside: new Uint8Array() };
  const [left, top] = [Math.floor(Math.min(...x)), Math.floor(Math.min(...y))];
  const width = Math.ceil(Math.max(...x)) - left + 1;
  const height = Math.ceil(Math.max(...y)) - top + 1;
  const inside = new Uint8Array(width * height);
  for (let line = 0; line < height; line += 1) {
    const crossings = crossingsAt({ x, y }, top + line + 0.5);
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const first = Math.max(0, Math.ceil(crossings[at]! - left - 0.5));
      const last = Math.min(width - 1, Math.floor(crossings[at + 1]! - left - 0.5));
      if (last >= first) inside.fill(1, line * width + first, line * width + last + 1);
    }
  }
  return { left, top, width, height, inside };
}

function crossingsAt({ x, y }: Polygon, level: number): number[] {
  const found: number[] = [];
  for (let at = 0, before = x.length - 1; at < x.length; before = at, at += 1) {
    const [fromY, toY] = [y[before]!, y[at]!];
    if (fromY > level === toY > level) continue;
    found.push(x[before]! + ((x[at]! - x[before]!) * (level - fromY)) / (toY - fromY));
  }
  return found.sort((a, b) => a - b);
}

/** Ascending. */
export function rowsInside(pickable: Pickable, { left, top, width, height, inside }: Area): Uint32Array {
  const rows: number[] = [];
  eachPixel(pickable, (row, u, v) => {
    const [column, line] = [Math.floor(u) - left, Math.floor(v) - top];
    // Also false for NaN.
    if (!(column >= 0 && column < width && line >= 0 && line < height)) return;
    if (inside[line * width + column] === 1) rows.push(row);
  });
  return Uint32Array.from(rows);
}

export type SelectionMode = "replace" | "add" | "remove";

/** The selection after an area was drawn; ascending. */
export function combined(selected: Uint32Array, inside: Uint32Array, mode: SelectionMode): Uint32Array {
  if (mode === "replace") return inside;
  const rows = new Set(selected);
  for (const row of inside)
    if (mode === "add") rows.add(row);
    else rows.delete(row);
  return Uint32Array.from(rows).sort();
}
