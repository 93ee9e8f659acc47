/** Paints one frame: header, pinned tracks, and the tracks below them. */

import type { Ruler } from "../time/ticks";
import { lanesBetween, type Lane, type Region } from "../tracks/layout";
import type { TraceColours } from "./colours";
import { drawCounter } from "./counters";
import { drawAreaLength, drawHeader } from "./header";
import { drawArea, drawMarked, drawMatches, drawSelection, drawStepBorders } from "./overlay";
import { HEADER_PX, type Scene } from "./scene";
import type { SlicePainter } from "./slices";
import type { TextFitter } from "./text";

export interface PaintTools {
  readonly colours: TraceColours;
  readonly painter: SlicePainter;
  readonly fitter: TextFitter;
  readonly minimap: HTMLCanvasElement | null;
  readonly ruler: Ruler;
}

export function paintScene(context: CanvasRenderingContext2D, scene: Scene, tools: PaintTools): void {
  const { colours, fitter } = tools;
  const { width, height, pinnedPx, scrollTop, layout } = scene;
  context.fillStyle = colours.named.surface;
  context.fillRect(0, 0, width, height);
  drawHeader(context, scene, tools.ruler, tools.minimap, colours, fitter);
  drawStepBorders(context, scene, colours);
  const bodyTop = HEADER_PX + pinnedPx;
  clipped(context, width, HEADER_PX, pinnedPx, () => paintRegion(context, scene, layout.pinned, HEADER_PX, 0, pinnedPx, tools)); // prettier-ignore
  clipped(context, width, bodyTop, height - bodyTop, () =>
    paintRegion(context, scene, layout.body, bodyTop - scrollTop, scrollTop, scrollTop + height - bodyTop, tools),
  );
  clipped(context, width, HEADER_PX, height - HEADER_PX, () => {
    drawMatches(context, scene, colours);
    drawMarked(context, scene, colours);
    drawSelection(context, scene, colours);
  });
  drawAreaLength(context, scene, colours);
}

function clipped(
  context: CanvasRenderingContext2D,
  width: number,
  top: number,
  height: number,
  draw: () => void,
): void {
  // prettier-ignore
  if (height <= 0) return;
  context.save();
  context.beginPath();
  context.rect(0, top, width, height);
  context.clip();
  draw();
  context.restore();
}

function paintRegion(
  context: CanvasRenderingContext2D,
  scene: Scene,
  region: Region,
  offset: number,
  top: number,
  bottom: number,
  tools: PaintTools,
): void {
  // prettier-ignore
  const { colours } = tools;
  const [first, end] = lanesBetween(region, top, bottom);
  const lanes = region.lanes.slice(first, end);
  for (const lane of lanes) drawLaneBackground(context, scene, lane, offset, colours);
  tools.painter.paint(context, scene, lanes, offset, colours, tools.fitter);
  for (const lane of lanes) {
    const values = lane.counter && scene.counters.get(lane.counter.id);
    if (values) drawCounter(context, scene, lane, offset + lane.top, values, colours);
  }
  drawArea(context, scene, lanes, colours);
}

function drawLaneBackground(
  context: CanvasRenderingContext2D,
  { width }: Scene,
  lane: Lane,
  offset: number,
  { named }: TraceColours,
): void {
  // prettier-ignore
  const y = offset + lane.top;
  if (lane.type === "group") {
    context.fillStyle = named.sunken;
    context.fillRect(0, y, width, lane.height);
  }
  context.fillStyle = named.grid;
  context.fillRect(0, y + lane.height - 1, width, 1);
}
