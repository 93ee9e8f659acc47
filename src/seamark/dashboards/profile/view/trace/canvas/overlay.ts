/** Draws over the slices: matches, marked slices, the area, the selected slice and its arrows. */

import type { Lane } from "../tracks/layout";
import type { TraceColours } from "./colours";
import { HEADER_PX, offsetOf, rowY, slicePxOf, toX, visibleRowY, type Scene } from "./scene";
import { slicePixels } from "./slices";

const AREA_ALPHA = 0.09;
const MATCH_PX = 2;
const OUTLINE_PX = 2;
/** Of the slices at the other end of an arrow. */
const LINKED_PX = 1;

/** An underline for each match. */
export function drawMatches(context: CanvasRenderingContext2D, scene: Scene, { named }: TraceColours): void {
  const { matches, span } = scene;
  if (!matches) return;
  context.fillStyle = named.text;
  for (let at = 0; at < matches.slice.length; at += 1) {
    const start = matches.start[at]!;
    if (start > span.end || start + matches.duration[at]! < span.start) continue;
    const y = visibleRowY(scene, matches.row[at]!);
    if (y === null) continue;
    const [x, width] = slicePixels(scene, start, matches.duration[at]!, 1);
    context.fillRect(x, y + slicePxOf(scene, matches.row[at]!) - MATCH_PX, width, MATCH_PX);
  }
}

/** The slices that prove a finding: an amber outline, and a tick above so that narrow ones are seen. */
export function drawMarked(context: CanvasRenderingContext2D, scene: Scene, { named }: TraceColours): void {
  context.strokeStyle = named.warnFill;
  context.fillStyle = named.warnFill;
  context.lineWidth = OUTLINE_PX;
  for (const { row, start_ns, duration_ns } of scene.marked) {
    const y = visibleRowY(scene, row);
    if (y === null) continue;
    const [x, width] = slicePixels(scene, start_ns, duration_ns, 2);
    if (x > scene.width || x + width < 0) continue;
    context.strokeRect(x, y, width, slicePxOf(scene, row));
    context.fillRect(x + width / 2 - 3, y - 3, 6, 3);
  }
  context.lineWidth = 1;
}

/** Over the tracks that belong to the area; neighbours share one frame. */
export function drawArea(
  context: CanvasRenderingContext2D,
  scene: Scene,
  lanes: readonly Lane[],
  { named }: TraceColours,
): void {
  // prettier-ignore
  const { area } = scene;
  if (!area) return;
  const [from, to] = [toX(scene, area.start), toX(scene, area.end)];
  const width = Math.max(to - from, 1);
  let top: number | null = null;
  for (let at = 0; at <= lanes.length; at += 1) {
    const lane = lanes[at];
    const isInside = lane !== undefined && isInArea(lane, area.tracks);
    if (isInside && top === null) top = lane.top + offsetOf(scene, lane);
    if (isInside || top === null) continue;
    const last = lanes[at - 1]!;
    const bottom = last.top + last.height + offsetOf(scene, last);
    context.fillStyle = named.accent;
    context.globalAlpha = AREA_ALPHA;
    context.fillRect(from, top, width, bottom - top);
    context.globalAlpha = 1;
    context.strokeStyle = named.accent;
    context.lineWidth = 1;
    context.strokeRect(Math.round(from) + 0.5, top + 0.5, Math.round(width), bottom - top - 1);
    top = null;
  }
}

export function isInArea(lane: Lane, tracks: readonly number[] | null): boolean {
  if (lane.type === "heading") return false;
  if (tracks === null) return true;
  return lane.track !== null && tracks.includes(lane.track.id);
}

export function drawSelection(context: CanvasRenderingContext2D, scene: Scene, colours: TraceColours): void {
  const { selected, flows } = scene;
  if (!selected) return;
  if (flows)
    for (let at = 0; at < flows.from.length; at += 1) {
      const isFrom = flows.from[at] === selected.slice;
      outlineLinked(context, scene, at, isFrom ? "to" : "from", colours);
      drawArrow(context, scene, at, colours);
    }
  const y = visibleRowY(scene, selected.row);
  if (y === null) return;
  const [x, width] = slicePixels(scene, selected.start_ns, selected.duration_ns, 4);
  context.strokeStyle = colours.named.text;
  context.lineWidth = OUTLINE_PX;
  context.strokeRect(x, y, width, slicePxOf(scene, selected.row));
  context.lineWidth = 1;
}

/** The slice at one end of an arrow, if the window has it one by one. */
function outlineLinked(
  context: CanvasRenderingContext2D,
  scene: Scene,
  at: number,
  end: "from" | "to",
  { named }: TraceColours,
): void {
  // prettier-ignore
  const { index } = scene;
  const flows = scene.flows!;
  const row = flows[`${end}_row`][at]!;
  const y = visibleRowY(scene, row);
  const found = index?.sliceAt(row, flows[`${end}_time`][at]!, 0) ?? -1;
  if (!index || y === null || found < 0 || index.slices.slice[found] !== flows[end][at]) return;
  const [x, width] = slicePixels(scene, index.slices.start[found]!, index.slices.duration[found]!, 4);
  context.strokeStyle = named.text;
  context.lineWidth = LINKED_PX;
  context.strokeRect(x + 0.5, y + 0.5, width - 1, slicePxOf(scene, row) - 1);
}

function drawArrow(context: CanvasRenderingContext2D, scene: Scene, at: number, { named }: TraceColours): void {
  const flows = scene.flows!;
  const [fromRow, toRow] = [flows.from_row[at]!, flows.to_row[at]!];
  const [fromY, toY] = [rowY(scene, fromRow), rowY(scene, toRow)];
  if (fromY === null || toY === null) return;
  const isDown = toY > fromY;
  const [ax, ay] = [toX(scene, flows.from_time[at]!), isDown ? fromY + slicePxOf(scene, fromRow) : fromY];
  const [bx, by] = [toX(scene, flows.to_time[at]!) + 2, isDown ? toY : toY + slicePxOf(scene, toRow)];
  const bend = Math.min(60, Math.abs(by - ay) / 2) * (isDown ? 1 : -1);
  const tip = isDown ? -5 : 5;
  const trace = (): void => {
    context.beginPath();
    context.moveTo(ax, ay);
    context.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by + tip);
    context.stroke();
  };
  context.strokeStyle = named.surface;
  context.globalAlpha = 0.8;
  context.lineWidth = 4;
  trace();
  context.globalAlpha = 1;
  context.strokeStyle = named.text;
  context.lineWidth = 1.5;
  trace();
  context.lineWidth = 1;
  drawArrowEnds(context, ax, ay, bx, by, isDown ? -1 : 1, named.text);
}

function drawArrowEnds(
  context: CanvasRenderingContext2D,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  back: number,
  colour: string,
): void {
  // prettier-ignore
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(bx, by + back);
  context.lineTo(bx - 4, by + 8 * back);
  context.lineTo(bx + 4, by + 8 * back);
  context.fill();
  context.beginPath();
  context.arc(ax, ay, 2.6, 0, 2 * Math.PI);
  context.fill();
}

/** The borders of steps through all tracks. */
export function drawStepBorders(context: CanvasRenderingContext2D, scene: Scene, { named }: TraceColours): void {
  const { steps, span, width } = scene;
  context.fillStyle = named.line2;
  let drawnAt = -Infinity;
  for (const { start_ns, duration_ns } of steps)
    for (const time of [start_ns, start_ns + duration_ns]) {
      if (time < span.start || time > span.end) continue;
      const x = Math.round(toX(scene, time));
      // Borders closer than this are a grey plane.
      if (x - drawnAt < 4 || x >= width) continue;
      drawnAt = x;
      context.fillRect(x, HEADER_PX, 1, scene.height - HEADER_PX);
    }
}
