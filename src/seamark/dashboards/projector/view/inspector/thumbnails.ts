/** Where the image of a row is in the sprite, as the background of an element. */

import type { ThumbnailsEntry } from "../wire";

export interface Background {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly size: string;
  readonly position: string;
  /** Enlarged: every pixel stays a square. */
  readonly isEnlarged: boolean;
}

/** The image fits into a square of this size. */
export function backgroundOf({ width, height, columns }: ThumbnailsEntry, row: number, sidePx: number): Background {
  const scale = sidePx / Math.max(width, height);
  const [widthPx, heightPx] = [width * scale, height * scale];
  const position = `${-(row % columns) * widthPx}px ${-Math.floor(row / columns) * heightPx}px`;
  return { widthPx, heightPx, size: `${columns * widthPx}px auto`, position, isEnlarged: scale > 1 };
}
