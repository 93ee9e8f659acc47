/** The titles of the facets, grid lines and labels of axes: what lies below the points. */

import { chartAxes, type Range } from "$public/charts";
import type { Dimension } from "../fields/dimension";
import { toPixel, type Axis, type Panel } from "../scene/layout";
import { fitted, fontOf, type DrawingContext, type Pen } from "./pen";

type AxisText = Pick<Dimension, "label" | "range" | "names">;

export interface PanelAxes {
  readonly panel: Panel;
  readonly title: string;
  readonly note: string;
  readonly x: AxisText & { readonly axis: Axis; readonly shown: Range };
  readonly y: AxisText & { readonly axis: Axis };
}

const PX_PER_Y_TICK = 70;
const PX_PER_X_TICK = 70;

interface Tick {
  readonly label: string;
  readonly at: number;
}

function ticksOf({ names, axis }: AxisText & { axis: Axis }, range: Range, count: number): readonly Tick[] {
  if (names.length > 0) return names.map((label, at) => ({ label, at: toPixel(axis, at) }));
  const ticks = chartAxes.ticks(chartAxes.LINEAR, range, count);
  return ticks.map(({ label, value }) => ({ label, at: toPixel(axis, value) }));
}

export function drawPanelAxes(pen: Pen, axes: PanelAxes, context: DrawingContext): void {
  drawTitle(pen, axes, context);
  drawYAxis(pen, axes, context);
  drawXAxis(pen, axes, context);
}

function drawTitle(pen: Pen, { panel, title, note }: PanelAxes, context: DrawingContext): void {
  const y = panel.top - 13;
  const room = panel.right - panel.left;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = fontOf(12, true, context);
  pen.fillStyle = context.colour("--text");
  const text = fitted(pen, title, room * 0.6);
  pen.fillText(text, panel.left, y);
  const taken = text === "" ? 0 : pen.measureText(text).width + 8;
  pen.font = fontOf(11, false, context);
  pen.fillStyle = context.colour("--text-3");
  pen.fillText(fitted(pen, note, room - taken), panel.left + taken, y);
}

function drawYAxis(pen: Pen, { panel, y }: PanelAxes, context: DrawingContext): void {
  const height = panel.bottom - panel.top;
  const ticks = ticksOf(y, y.range, Math.min(5, Math.max(2, Math.round(height / PX_PER_Y_TICK))));
  pen.font = fontOf(10, false, context);
  pen.textAlign = "right";
  pen.lineWidth = 1;
  const every = Math.max(1, Math.ceil((ticks.length * 12) / height));
  ticks.forEach(({ label, at }, index) => {
    const line = Math.round(at) + 0.5;
    if (y.names.length === 0) drawLine(pen, panel.left, line, panel.right, line, context.colour("--grid"));
    pen.fillStyle = context.colour("--text-3");
    if (index % every === 0) pen.fillText(fitted(pen, label, 86), panel.left - 6, line);
  });
  const bottom = Math.round(panel.bottom) + 0.5;
  drawLine(pen, panel.left, bottom, panel.right, bottom, context.colour("--line-2"));
}

function drawXAxis(pen: Pen, { panel, x }: PanelAxes, context: DrawingContext): void {
  const width = panel.right - panel.left;
  const ticks = ticksOf(x, x.shown, Math.max(2, Math.min(8, Math.floor(width / PX_PER_X_TICK))));
  const room = x.names.length > 0 ? width / x.names.length - 4 : PX_PER_X_TICK;
  // Names that are too narrow to read: every second, third … one.
  const every = x.names.length > 0 ? Math.max(1, Math.ceil(28 / room)) : 1;
  pen.font = fontOf(10, false, context);
  pen.textAlign = "center";
  pen.fillStyle = context.colour("--text-3");
  ticks.forEach(({ label, at }, index) => {
    if (index % every === 0) pen.fillText(fitted(pen, label, room * every), at, panel.bottom + 10);
  });
  pen.fillText(fitted(pen, x.label, width), (panel.left + panel.right) / 2, panel.bottom + 23);
}

function drawLine(pen: Pen, x0: number, y0: number, x1: number, y1: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
