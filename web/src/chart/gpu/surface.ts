/**
 * Draws marks on the canvas of a card: with the page's GPU context where there is one, else in software. All cards share
 * the context; each keeps its picture in a 2-D canvas of its own, on which labels and axes may be drawn afterwards.
 */

import { onContextLost, sharedContext, takeContext, type GpuContext } from "./context";
import type { Mark } from "../marks/marks";
import { drawInSoftware, type Size } from "./software";
import { WebGlRenderer } from "./webgl";

export type DrawnBy = "webgl" | "software";

let renderer: WebGlRenderer | null = null;

/** Draws the marks back to front over an empty canvas of this size. Returns its context, scaled to CSS pixels, and who drew. */
export function paintMarks(
  canvas: HTMLCanvasElement,
  size: Size,
  marks: readonly Mark[],
): { readonly pen: CanvasRenderingContext2D; readonly drawnBy: DrawnBy } {
  const { width, height, dpr } = size;
  canvas.width = Math.round(width * dpr);
  canvas.height = Math.round(height * dpr);
  const pen = canvas.getContext("2d")!;
  const drawnBy = paintOnGpu(pen, size, marks) ? "webgl" : "software";
  pen.setTransform(dpr, 0, 0, dpr, 0, 0);
  if (drawnBy === "software") drawInSoftware(pen, size, marks);
  return { pen, drawnBy };
}

function makeRenderer(context: GpuContext): WebGlRenderer {
  const unsubscribe = onContextLost(() => {
    renderer = null;
    unsubscribe();
  });
  return new WebGlRenderer(context);
}

function paintOnGpu(pen: CanvasRenderingContext2D, size: Size, marks: readonly Mark[]): boolean {
  const context = sharedContext();
  const { width, height } = pen.canvas;
  if (!context || width === 0 || height === 0) return false;
  renderer ??= makeRenderer(context);
  takeContext(renderer);
  renderer.draw(size, marks);
  // Its loss is reported later than it happens; the picture would be empty.
  if (context.gl.isContextLost()) return false;
  pen.drawImage(context.canvas, 0, context.canvas.height - height, width, height, 0, 0, width, height);
  return true;
}
