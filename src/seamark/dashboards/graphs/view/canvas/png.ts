/** The whole graph as a PNG. */

import type { GraphColours } from "./colours";
import { drawScene } from "./draw";
import { drawLegend, LEGEND_PX, MIN_LEGEND_WIDTH_PX } from "./legend";
import { CanvasPen } from "./pen";
import { PreparedGraph } from "./prepared_graph";
import type { Scene } from "./scene";

const MARGIN_PX = 24;
const SCALE = 2;
/** Browsers refuse larger canvases: along a side, and in all. */
const MAX_SIDE_PX = 16_000;
const MAX_AREA_PX = 128_000_000;

/** Twice the size for sharp print; less if the graph is large. */
export function pngScale(width: number, height: number): number {
  const [wide, high] = [width + 2 * MARGIN_PX, height + 2 * MARGIN_PX];
  return Math.min(SCALE, MAX_SIDE_PX / Math.max(wide, high), Math.sqrt(MAX_AREA_PX / (wide * high)));
}

export function sceneToPng(scene: Scene, colours: GraphColours): Promise<Blob> {
  const { legend, layout } = scene;
  const width = Math.max(layout.width, legend ? MIN_LEGEND_WIDTH_PX : 0);
  const height = layout.height + (legend ? LEGEND_PX : 0);
  const scale = pngScale(width, height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor((width + 2 * MARGIN_PX) * scale));
  canvas.height = Math.max(1, Math.floor((height + 2 * MARGIN_PX) * scale));
  const context = canvas.getContext("2d", { alpha: false })!;
  context.fillStyle = colours.named.bg;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, MARGIN_PX * scale, MARGIN_PX * scale);
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, zoom: scale };
  const pen = new CanvasPen(context, colours.named.font);
  drawScene(pen, scene, new PreparedGraph(scene), colours, all);
  if (legend) drawLegend(pen, legend, colours, { x: 0, y: layout.height + MARGIN_PX / 2, width });
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser gave no picture; the graph may be too large"))),
      "image/png",
    ),
  );
}
