/** Which rows show their thumbnail, and where: spread, at most one in each cell of their size. */

import type { Point, Size } from "$public/charts";
import type { ThumbnailsEntry } from "../../wire";
import { DIMMED, HIDDEN } from "../colours";
import type { Pickable } from "../picking";

export interface PlacedThumbnail {
  readonly row: number;
  /** In the sprite. */
  readonly spriteX: number;
  readonly spriteY: number;
  readonly spriteWidth: number;
  readonly spriteHeight: number;
  /** In the picture. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly alpha: number;
  /** The colour of the point, as CSS; null for none. */
  readonly tint: string | null;
}

/** More thumbnails would be slower to draw than a frame takes, and too small to be recognized. */
export const MAX_THUMBNAILS = 2_000;
/** Darker than a dimmed point: an image has to be recognized. */
const DIMMED_ALPHA = 0.3;
const [MIN_PX, MAX_PX] = [16, 72];

/** Larger the fewer there are: zooming in enlarges them. */
export function thumbnailPx(count: number, { width, height }: Size): number {
  const area = width * height;
  const least = Math.max(MIN_PX, Math.sqrt(area / MAX_THUMBNAILS));
  return Math.min(MAX_PX, Math.max(least, 0.6 * Math.sqrt(area / Math.max(1, count))));
}

/**
 * Of the candidates in view, one in each cell of the picture: a selected one, else the nearest: to the viewer in three
 * dimensions, to the middle of the cell in two. The cells move with the picture, so that panning changes no image.
 * Back to front.
 */
export function placeThumbnails(
  { positions, plane, emphasis }: Pickable,
  rows: Uint32Array,
  size: Size,
  { entry, tintOf }: { readonly entry: ThumbnailsEntry; readonly tintOf: (row: number) => string | null },
): PlacedThumbnail[] {
  if (entry.columns < 1 || entry.width < 1 || entry.height < 1) return [];
  const { u, v, w } = plane;
  const { x, y, z } = positions;
  const seen: { row: number; x: number; y: number; near: number }[] = [];
  for (const row of rows) {
    if (emphasis[row] === HIDDEN) continue;
    const [a, b, c] = [x[row]!, y[row]!, z ? z[row]! : 0];
    const [px, py] = [u[0] * a + u[1] * b + u[2] * c + u[3], v[0] * a + v[1] * b + v[2] * c + v[3]];
    if (!(px >= 0 && py >= 0 && px <= size.width && py <= size.height)) continue;
    seen.push({ row, x: px, y: py, near: z ? w[0] * a + w[1] * b + w[2] * c : 0 });
  }
  const factor = thumbnailPx(seen.length, size) / Math.max(entry.width, entry.height);
  const [width, height] = [entry.width * factor, entry.height * factor];
  const best = new Map<number, { row: number; x: number; y: number; near: number; rank: number }>();
  for (const one of seen) {
    const [across, down] = [(one.x - u[3]) / width, (one.y - v[3]) / height];
    const [column, line] = [Math.floor(across), Math.floor(down)];
    const near = z ? one.near : -((across - column - 0.5) ** 2) - (down - line - 0.5) ** 2;
    const rank = emphasis[one.row]!;
    const cell = line * 100_000 + column;
    const other = best.get(cell);
    if (!other || rank > other.rank || (rank === other.rank && near > other.near)) best.set(cell, { ...one, near, rank }); // prettier-ignore
  }
  const placed = [...best.values()].sort((a, b) => a.rank - b.rank || a.near - b.near).slice(-MAX_THUMBNAILS);
  return placed.map(({ row, x, y, rank }) => ({
    row,
    spriteX: (row % entry.columns) * entry.width,
    spriteY: Math.floor(row / entry.columns) * entry.height,
    spriteWidth: entry.width,
    spriteHeight: entry.height,
    left: x - width / 2,
    top: y - height / 2,
    width,
    height,
    alpha: rank === DIMMED ? DIMMED_ALPHA : 1,
    tint: tintOf(row),
  }));
}

/** The row whose thumbnail is the topmost at a pixel; null without any. */
export const thumbnailAt = (placed: readonly PlacedThumbnail[], { x, y }: Point): number | null =>
  placed.findLast(({ left, top, width, height }) => x >= left && y >= top && x <= left + width && y <= top + height)
    ?.row ?? null;
