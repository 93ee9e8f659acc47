/** What lies over the points: thresholds, the brush, the selected row, the edited point and its counterfactual. */

import type { Panel } from "../scene/layout";
import { drawLabel, type DrawingContext, type Pen } from "./pen";

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface ThresholdShape {
  readonly panel: Panel;
  readonly along: "x" | "y";
  readonly at: number;
  readonly label: string;
}

/** A point with a ring: `accent` is the selected one. */
export interface PointShape extends Place {
  readonly colour: string;
  readonly ring: "accent" | "text" | "hollow";
  readonly label: string;
  readonly isBold?: boolean;
}

export interface LinkShape {
  readonly from: Place;
  readonly to: Place;
  readonly type: "arrow" | "dashed";
}

export interface Overlay {
  readonly thresholds: readonly ThresholdShape[];
  readonly links: readonly LinkShape[];
  readonly points: readonly PointShape[];
  /** The corners in pixels; two are a box. */
  readonly brush: readonly Place[];
  /** Whether everything outside the brush is dimmed. */
  readonly isVeiled: boolean;
  readonly hovered: Place | null;
  readonly panels: readonly Panel[];
}

const DASH = [4, 3];
const VEIL_ALPHA = 0.78;
/** Points on the border of a panel lie partly outside. */
const VEIL_MARGIN_PX = 4;

export function drawOverlay(pen: Pen, overlay: Overlay, context: DrawingContext): void {
  if (overlay.isVeiled) drawVeil(pen, overlay, context);
  overlay.thresholds.forEach((shape) => drawThreshold(pen, shape, context));
  overlay.links.forEach((shape) => drawHalo(pen, shape, context));
  overlay.links.forEach((shape) => drawLink(pen, shape, context));
  overlay.points.forEach((shape) => drawPoint(pen, shape, overlay.panels, context));
  if (overlay.hovered) drawRing(pen, overlay.hovered, 5, 1.5, context.colour("--text"));
  drawBrush(pen, overlay.brush, context);
}

function drawThreshold(pen: Pen, { panel, along, at, label }: ThresholdShape, context: DrawingContext): void {
  const line = Math.round(at) + 0.5;
  pen.strokeStyle = context.colour("--text");
  pen.lineWidth = 1;
  pen.setLineDash(DASH);
  pen.beginPath();
  if (along === "y") {
    pen.moveTo(panel.left, line);
    pen.lineTo(panel.right, line);
  } else {
    pen.moveTo(line, panel.top);
    pen.lineTo(line, panel.bottom);
  }
  pen.stroke();
  pen.setLineDash([]);
  if (along === "y") drawLabel(pen, { text: label, x: panel.right - 2, y: line - 9, align: "right" }, context);
  else {
    const isRight = line > (panel.left + panel.right) / 2;
    drawLabel(
      pen,
      { text: label, x: line + (isRight ? -5 : 5), y: panel.top + 9, align: isRight ? "right" : "left" },
      context,
    );
  }
}

function drawHalo(pen: Pen, { from, to }: LinkShape, { colour }: DrawingContext): void {
  pen.globalAlpha = 0.75;
  pen.lineWidth = 5;
  pen.strokeStyle = colour("--surface");
  trace(pen, from, to);
  pen.globalAlpha = 1;
}

function drawLink(pen: Pen, { from, to, type }: LinkShape, { colour }: DrawingContext): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  pen.lineWidth = 1.5;
  pen.strokeStyle = pen.fillStyle = colour("--text");
  if (type === "dashed" || length < 16) {
    pen.setLineDash(type === "dashed" ? DASH : []);
    trace(pen, from, to);
    pen.setLineDash([]);
    return;
  }
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - ux * 9, y: to.y - uy * 9 };
  trace(pen, { x: from.x + ux * 5, y: from.y + uy * 5 }, { x: tip.x - ux * 4, y: tip.y - uy * 4 });
  pen.beginPath();
  pen.moveTo(tip.x, tip.y);
  pen.lineTo(tip.x - ux * 6 - uy * 3.5, tip.y - uy * 6 + ux * 3.5);
  pen.lineTo(tip.x - ux * 6 + uy * 3.5, tip.y - uy * 6 - ux * 3.5);
  pen.fill();
}

function trace(pen: Pen, from: Place, to: Place): void {
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  pen.stroke();
}

function drawPoint(pen: Pen, shape: PointShape, panels: readonly Panel[], context: DrawingContext): void {
  const { x, y, colour, ring, label, isBold = false } = shape;
  const radius = ring === "hollow" ? 4 : 5.5;
  pen.fillStyle = ring === "hollow" ? context.colour("--surface") : colour;
  pen.strokeStyle = ring === "hollow" ? colour : context.colour("--surface");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  if (ring === "hollow") {
    pen.fill();
    pen.stroke();
  } else {
    pen.stroke();
    pen.fill();
    drawRing(pen, shape, 8.5, ring === "accent" ? 2 : 1.2, context.colour(ring === "accent" ? "--accent" : "--text"));
  }
  if (label === "") return;
  // On the side with more room, so that it stays in its panel.
  const panel = panels.find(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  const isLeft = panel !== undefined && x > (panel.left + panel.right) / 2;
  drawLabel(pen, { text: label, x: x + (isLeft ? -14 : 14), y, align: isLeft ? "right" : "left", isBold }, context);
}

function drawRing(pen: Pen, { x, y }: Place, radius: number, lineWidth: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = lineWidth;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.stroke();
}

/** Dims what is not selected. The points stay as they are: to draw 100,000 of them again would take several frames. */
function drawVeil(pen: Pen, { panels, brush }: Overlay, { colour }: DrawingContext): void {
  pen.beginPath();
  for (const { left, top, right, bottom } of panels)
    pen.rect(
      left - VEIL_MARGIN_PX,
      top - VEIL_MARGIN_PX,
      right - left + 2 * VEIL_MARGIN_PX,
      bottom - top + 2 * VEIL_MARGIN_PX,
    );
  traceBrush(pen, brush);
  pen.globalAlpha = VEIL_ALPHA;
  pen.fillStyle = colour("--surface");
  pen.fill("evenodd");
  pen.globalAlpha = 1;
}

function traceBrush(pen: Pen, corners: readonly Place[]): void {
  const [first, last] = [corners[0]!, corners.at(-1)!];
  if (corners.length === 2) pen.rect(first.x, first.y, last.x - first.x, last.y - first.y);
  else {
    pen.moveTo(first.x, first.y);
    corners.slice(1).forEach(({ x, y }) => pen.lineTo(x, y));
    pen.closePath();
  }
}

function drawBrush(pen: Pen, corners: readonly Place[], { colour }: DrawingContext): void {
  if (corners.length < 2) return;
  pen.beginPath();
  traceBrush(pen, corners);
  pen.fillStyle = colour("--accent-soft");
  pen.fill();
  pen.strokeStyle = colour("--accent");
  pen.lineWidth = 1;
  pen.stroke();
}
