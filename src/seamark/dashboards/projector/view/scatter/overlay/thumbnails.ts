/** Which rows show their thumbnail, and where: spread, at most one in each cell of their size. */

import type { Point, Size } from "$public/charts";
import type { ThumbnailsEntry } from "../../wire";
import { pixelOf } from "../camera";
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
}

export const MAX_VISIBLE = 2_000;
/** Darker than a dimmed point: an image has to be recognized. */
const DIMMED_ALPHA = 0.3;
const [MIN_PX, MAX_PX] = [16, 72];

/** The rows in view; null if they are too many for thumbnails. */
export function rowsInView({ positions, plane, emphasis }: Pickable, { width, height }: Size): number[] | null {
  const rows: number[] = [];
  for (let row = 0; row < positions.x.length; row += 1) {
    if (emphasis[row] === HIDDEN) continue;
    const { x, y } = pixelOf(plane, positions, row);
    if (!(x >= 0 && y >= 0 && x <= width && y <= height)) continue;
    if (rows.length >= MAX_VISIBLE) return null;
    rows.push(row);
  }
  return rows;
}

/** Larger the fewer there are: zooming in enlarges them. */
export function thumbnailPx(count: number, { width, height }: Size): number {
  return Math.min(MAX_PX, Math.max(MIN_PX, 0.6 * Math.sqrt((width * height) / Math.max(1, count))));
}

/** Back to front: selected rows are in front of others, and have the cells that they share with others. Null: as `rowsInView`. */
export function placeThumbnails(pickable: Pickable, size: Size, entry: ThumbnailsEntry): PlacedThumbnail[] | null {
  const rows = rowsInView(pickable, size);
  if (!rows) return null;
  if (entry.columns < 1 || entry.width < 1 || entry.height < 1) return [];
  const { emphasis } = pickable;
  rows.sort((a, b) => emphasis[b]! - emphasis[a]!);
  const longer = thumbnailPx(rows.length, size);
  const factor = longer / Math.max(entry.width, entry.height);
  const [width, height] = [entry.width * factor, entry.height * factor];
  const taken = new Set<number>();
  const placed = rows.flatMap((row) => {
    const { x, y } = pixelOf(pickable.plane, pickable.positions, row);
    const cell = Math.floor(y / height) * 10_000 + Math.floor(x / width);
    if (taken.has(cell)) return [];
    taken.add(cell);
    return [
      {
        row,
        spriteX: (row % entry.columns) * entry.width,
        spriteY: Math.floor(row / entry.columns) * entry.height,
        spriteWidth: entry.width,
        spriteHeight: entry.height,
        left: x - width / 2,
        top: y - height / 2,
        width,
        height,
        alpha: emphasis[row] === DIMMED ? DIMMED_ALPHA : 1,
      },
    ];
  });
  return placed.reverse();
}

/** The row whose thumbnail is the topmost at a pixel; null without any. */
export const thumbnailAt = (placed: readonly PlacedThumbnail[], { x, y }: Point): number | null =>
  placed.findLast(({ left, top, width, height }) => x >= left && y >= top && x <= left + width && y <= top + height)
    ?.row ?? null;
