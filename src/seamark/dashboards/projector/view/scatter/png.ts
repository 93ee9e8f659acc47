/** The picture as a PNG, at twice its size: the points of all rows, and what is drawn over them. */

import { hexOf } from "./colours";
import { drawShapes, type DrawingContext } from "./overlay/draw";
import type { Shape } from "./overlay/shapes";
import { paintRaster } from "./points/painter";
import type { PointScene } from "./points/scene";
import type { SvgPicture } from "./svg";

const SCALE = 2;

export async function toPng(
  scene: PointScene,
  shapes: readonly Shape[],
  titles: readonly string[],
  { legend, ...context }: DrawingContext & { readonly legend: SvgPicture["legend"] },
): Promise<Blob> {
  const raster = paintRaster({ ...scene, dpr: SCALE });
  const canvas = new OffscreenCanvas(raster.width + SCALE * (legend?.widthPx ?? 0), raster.height);
  const pen = canvas.getContext("2d")!;
  pen.putImageData(new ImageData(raster.pixels, raster.width, raster.height), 0, 0);
  pen.setTransform(SCALE, 0, 0, SCALE, 0, 0);
  drawShapes(pen, shapes, context);
  if (legend) {
    // Over whatever lies over the edge of the picture.
    pen.fillStyle = hexOf(scene.background);
    pen.fillRect(scene.size.width, 0, legend.widthPx, scene.size.height);
    drawShapes(pen, legend.shapes, context);
  }
  drawTitles(pen, titles, scene.size, context);
  return canvas.convertToBlob({ type: "image/png" });
}

function drawTitles(
  pen: OffscreenCanvasRenderingContext2D,
  [x, y]: readonly string[],
  { width, height }: PointScene["size"],
  { colour, fontFamily }: DrawingContext,
): void {
  if (x === undefined || y === undefined) return;
  pen.font = `11px ${fontFamily}`;
  pen.fillStyle = colour("--text-2");
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(x, width / 2, height - 6);
  pen.translate(12, height / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(y, 0, 0);
}
