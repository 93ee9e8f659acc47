/** Cuts the drawn thumbnails out of the sprite, for a file that contains them. */

import type { Shape } from "./shapes";
import type { PlacedThumbnail } from "./thumbnails";

/** Data addresses by row. */
export async function cutThumbnails(
  shapes: readonly Shape[],
  sprite: CanvasImageSource | null,
): Promise<ReadonlyMap<number, string>> {
  const images = new Map<number, string>();
  if (!sprite) return images;
  for (const shape of shapes) if (shape.type === "thumbnail") images.set(shape.row, await cut(shape, sprite));
  return images;
}

async function cut(
  { spriteX, spriteY, spriteWidth, spriteHeight }: PlacedThumbnail,
  sprite: CanvasImageSource,
): Promise<string> {
  const canvas = new OffscreenCanvas(spriteWidth, spriteHeight);
  const area = [spriteX, spriteY, spriteWidth, spriteHeight] as const;
  canvas.getContext("2d")!.drawImage(sprite, ...area, 0, 0, spriteWidth, spriteHeight);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  return `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
