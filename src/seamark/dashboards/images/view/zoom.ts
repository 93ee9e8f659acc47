/** Where an image lies in a box: screen = image × scale + offset, in CSS pixels. */

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const MAX_SCALE = 64;
const MIN_VISIBLE_PX = 40;

/** All of it, centred; small images are enlarged by whole numbers, so that their pixels stay square. */
export function fit(image: Size, box: Size): View {
  const most = Math.min(box.width / image.width, box.height / image.height);
  const scale = most >= 2 ? Math.min(MAX_SCALE, Math.floor(most)) : most;
  return centred(image, box, scale);
}

export function centred(image: Size, box: Size, scale: number): View {
  return {
    scale,
    x: Math.round((box.width - image.width * scale) / 2),
    y: Math.round((box.height - image.height * scale) / 2),
  };
}

/** The point under the pointer stays under it. */
export function zoomAt(
  view: View,
  factor: number,
  at: { readonly x: number; readonly y: number },
  image: Size,
  box: Size,
): View {
  const least = Math.min(1, fit(image, box).scale) / 4;
  const scale = Math.min(MAX_SCALE, Math.max(least, view.scale * factor));
  const ratio = scale / view.scale;
  return kept({ scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, image, box);
}

export function panBy(view: View, dx: number, dy: number, image: Size, box: Size): View {
  return kept({ ...view, x: view.x + dx, y: view.y + dy }, image, box);
}

/** Some of it is always in the box: nobody loses it. */
function kept(view: View, image: Size, box: Size): View {
  const within = (offset: number, length: number, room: number): number =>
    Math.min(room - MIN_VISIBLE_PX, Math.max(MIN_VISIBLE_PX - length * view.scale, offset));
  return { ...view, x: within(view.x, image.width, box.width), y: within(view.y, image.height, box.height) };
}

/** The pixel under a point of the box; null beside the image. */
export function pixelAt(
  view: View,
  at: { readonly x: number; readonly y: number },
  image: Size,
): { x: number; y: number } | null {
  const x = Math.floor((at.x - view.x) / view.scale);
  const y = Math.floor((at.y - view.y) / view.scale);
  return x >= 0 && y >= 0 && x < image.width && y < image.height ? { x, y } : null;
}

/** The pixel of another image that lies there when that one is stretched over the first. */
export function samePlace(
  pixel: { readonly x: number; readonly y: number },
  first: Size,
  other: Size,
): { x: number; y: number } {
  return {
    x: Math.min(other.width - 1, Math.floor(((pixel.x + 0.5) / first.width) * other.width)),
    y: Math.min(other.height - 1, Math.floor(((pixel.y + 0.5) / first.height) * other.height)),
  };
}
