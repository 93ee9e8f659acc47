/** Where an image lies in a box: a viewport whose units are the image's pixels. */

import { type PlaneLimits, type Size, type Viewport, viewports } from "$public/charts";

/** Screen pixels for one of the image. */
const MAX_SCALE = 64;
const MIN_VISIBLE_PX = 40;

const boundsOf = ({ width, height }: Size) => ({ left: 0, top: 0, right: width, bottom: height });

/** All of it, viewports.centred; small images are enlarged by whole numbers, so that their pixels stay square. */
export function fitImage(image: Size, box: Size): Viewport {
  const scale = 1 / viewports.fit(boundsOf(image), box).x.unitsPerPx;
  return atScale(image, box, scale >= 2 ? Math.min(MAX_SCALE, Math.floor(scale)) : scale);
}

export const atScale = (image: Size, box: Size, scale: number): Viewport =>
  viewports.centred(boundsOf(image), box, 1 / scale);

export function limitsOf(image: Size, box: Size): PlaneLimits {
  return {
    size: box,
    bounds: boundsOf(image),
    minVisiblePx: MIN_VISIBLE_PX,
    minUnitsPerPx: 1 / MAX_SCALE,
    maxUnitsPerPx: 4 * Math.max(1, fitImage(image, box).x.unitsPerPx),
  };
}

/** As a style sheet takes it: screen = image × scale + offset, in CSS pixels. */
export const placementOf = ({
  x,
  y,
}: Viewport): { readonly scale: number; readonly x: number; readonly y: number } => ({
  scale: 1 / x.unitsPerPx,
  x: viewports.toPixel(x, 0),
  y: viewports.toPixel(y, 0),
});

/** The pixel under a point of the box; null beside the image. */
export function pixelAt(
  view: Viewport,
  at: { readonly x: number; readonly y: number },
  image: Size,
): { x: number; y: number } | null {
  const [x, y] = [Number(viewports.fromPixel(view.x, at.x).whole), Number(viewports.fromPixel(view.y, at.y).whole)];
  return x >= 0 && y >= 0 && x < image.width && y < image.height ? { x, y } : null;
}

/** The pixel of another image that lies there when that one is stretched over the first. */
export function samePixel(
  pixel: { readonly x: number; readonly y: number },
  first: Size,
  other: Size,
): { x: number; y: number } {
  return {
    x: Math.min(other.width - 1, Math.floor(((pixel.x + 0.5) / first.width) * other.width)),
    y: Math.min(other.height - 1, Math.floor(((pixel.y + 0.5) / first.height) * other.height)),
  };
}
