/** Draws lines on a canvas: axes, envelopes, raw values, curves, marks. Knows pixels and nothing about where data comes from. */

import { scaleLinear, scaleLog, scaleUtc } from "d3-scale";
import { formatAxis, formatSeconds } from "../base/format";
import type { Axis } from "../data/api";
import type { Line, Range } from "./model";

export interface LineStyle {
  readonly colour: string;
  readonly dashed: boolean;
  readonly live: boolean;
}

export interface Look {
  readonly text: string;
  readonly grid: string;
  readonly baseline: string;
  readonly surface: string;
  readonly font: string;
  readonly lineWidth: number;
  readonly rawAlpha: number;
  readonly envelopeAlpha: number;
}

export interface Plot {
  readonly lines: readonly Line[];
  readonly styles: readonly LineStyle[];
  readonly axis: Axis;
  readonly x: Range;
  readonly y: Range;
  readonly log: boolean;
}

/** Where data lands on the canvas, for the crosshair and whoever else has to know. */
export interface Projection {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  toX(value: number): number;
  toY(value: number): number;
  fromX(pixel: number): number;
}

const MARGIN = { right: 10, top: 6, bottom: 20 };
const GUTTER_MIN = 34;

export function draw(canvas: HTMLCanvasElement, plot: Plot, look: Look): Projection {
  const { context, width, height } = prepare(canvas);
  context.font = look.font;
  const yScale = (plot.log ? scaleLog() : scaleLinear()).domain([plot.y.from, plot.y.to]).range([height - MARGIN.bottom, MARGIN.top]);
  const yTicks = ticksOfY(yScale, plot, height);
  const widest = Math.max(0, ...yTicks.map((tick) => context.measureText(formatAxis(tick)).width));
  const left = Math.max(GUTTER_MIN, Math.ceil(widest) + 12);
  const right = width - MARGIN.right;
  const xScale = scaleLinear().domain([plot.x.from, plot.x.to]).range([left, right]);
  const at: Projection = { left, right, bottom: height - MARGIN.bottom, toX: xScale, toY: yScale, fromX: (pixel) => xScale.invert(pixel) };
  drawAxes(context, plot, look, at, yTicks);
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left + 4, at.bottom + 1);
  context.clip();
  plot.lines.forEach((line, index) => drawFaint(context, line, plot.styles[index]!, look, at));
  plot.lines.forEach((line, index) => drawCurve(context, line, plot.styles[index]!, look, at));
  context.restore();
  plot.lines.forEach((line, index) => drawMarks(context, line, plot.styles[index]!, look, at));
  return at;
}

function prepare(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } {
  const density = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const context = canvas.getContext("2d")!;
  context.scale(density, density);
  context.lineJoin = "round";
  return { context, width, height };
}

function ticksOfY(scale: { ticks(count: number): number[] }, plot: Plot, height: number): number[] {
  const wanted = Math.max(2, Math.round(height / 46));
  const ticks = scale.ticks(wanted);
  if (!plot.log || ticks.length <= wanted + 1) return ticks;
  // A log scale gives 1, 2, 3 … 9 of each decade; whole decades are enough once there are two of them.
  const decades = ticks.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e9) / 1e9));
  const every = Math.ceil(decades.length / (wanted + 1));
  return decades.length >= 2 ? decades.filter((_, index) => index % every === 0) : ticks.filter((_, index) => index % 3 === 0);
}

function drawAxes(context: CanvasRenderingContext2D, plot: Plot, look: Look, at: Projection, yTicks: readonly number[]): void {
  context.textBaseline = "middle";
  context.lineWidth = 1;
  context.fillStyle = look.text;
  context.textAlign = "right";
  for (const tick of yTicks) {
    const y = Math.round(at.toY(tick)) + 0.5;
    stroke(context, look.grid, [at.left, y, at.right, y]);
    context.fillText(formatAxis(tick), at.left - 6, y);
  }
  const base = at.bottom + 0.5;
  stroke(context, look.baseline, [at.left, base, at.right, base]);
  const count = Math.max(2, Math.min(6, Math.floor((at.right - at.left) / 72)));
  for (const { value, label } of ticksOfX(plot, count)) {
    const x = Math.round(at.toX(value)) + 0.5;
    stroke(context, look.baseline, [x, base, x, base + 3]);
    const half = context.measureText(label).width / 2;
    context.textAlign = "center";
    context.fillText(label, Math.min(Math.max(x, at.left + half), at.right + MARGIN.right - half - 1), base + 11);
  }
}

function ticksOfX({ axis, x }: Plot, count: number): { value: number; label: string }[] {
  if (axis === "wall") {
    const scale = scaleUtc().domain([new Date(x.from * 1000), new Date(x.to * 1000)]);
    return scale.ticks(count).map((date) => ({ value: date.getTime() / 1000, label: clockOf(date, x) }));
  }
  const ticks = scaleLinear().domain([x.from, x.to]).ticks(count);
  // Steps are whole numbers: half a step is not on the axis.
  const shown = axis === "step" ? ticks.filter(Number.isInteger) : ticks;
  return shown.map((value) => ({ value, label: axis === "relative" ? formatSeconds(value) : formatAxis(value) }));
}

function clockOf(date: Date, { from, to }: Range): string {
  const span = to - from;
  if (span > 2 * 86400) return date.toLocaleDateString("en", { month: "short", day: "numeric" });
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...(span < 600 ? { second: "2-digit" } : {}) });
}

function drawFaint(context: CanvasRenderingContext2D, line: Line, style: LineStyle, look: Look, at: Projection): void {
  context.strokeStyle = context.fillStyle = style.colour;
  context.lineWidth = 1;
  if (line.folded) {
    context.globalAlpha = look.envelopeAlpha;
    fillEnvelope(context, line, at);
  } else if (line.y !== line.mean) {
    context.globalAlpha = look.rawAlpha;
    tracePath(context, line.x, line.mean, at);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawCurve(context: CanvasRenderingContext2D, line: Line, style: LineStyle, look: Look, at: Projection): void {
  context.strokeStyle = context.fillStyle = style.colour;
  context.lineWidth = look.lineWidth;
  context.setLineDash(style.dashed ? [5, 2.5] : []);
  tracePath(context, line.x, line.y, at);
  context.stroke();
  context.setLineDash([]);
  const last = line.y.findLastIndex(Number.isFinite);
  if (last < 0 || (!style.live && line.y.length > 1)) return;
  // One point makes no line, so it is a dot; and a run that is being written ends in one.
  context.beginPath();
  context.arc(at.toX(line.x[last]!), at.toY(line.y[last]!), 3, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = look.surface;
  context.stroke();
}

/** A gap where values are not finite: a line across it would claim what nobody measured. */
function tracePath(context: CanvasRenderingContext2D, x: Float64Array, y: Float64Array, at: Projection): void {
  context.beginPath();
  let drawing = false;
  for (let row = 0; row < x.length; row += 1) {
    const pixel = at.toY(y[row]!);
    if (!Number.isFinite(pixel)) {
      drawing = false;
    } else if (drawing) {
      context.lineTo(at.toX(x[row]!), pixel);
    } else {
      context.moveTo(at.toX(x[row]!), pixel);
      drawing = true;
    }
  }
}

function fillEnvelope(context: CanvasRenderingContext2D, line: Line, at: Projection): void {
  context.beginPath();
  let start = -1;
  for (let row = 0; row <= line.x.length; row += 1) {
    const drawable = row < line.x.length && Number.isFinite(at.toY(line.low[row]!)) && Number.isFinite(at.toY(line.high[row]!));
    if (drawable && start < 0) start = row;
    if (drawable || start < 0) continue;
    for (let up = start; up < row; up += 1) context.lineTo(at.toX(line.x[up]!), at.toY(line.high[up]!));
    for (let down = row - 1; down >= start; down -= 1) context.lineTo(at.toX(line.x[down]!), at.toY(line.low[down]!));
    context.closePath();
    start = -1;
  }
  context.fill();
}

/** A triangle on the baseline where a value was NaN or infinite. */
function drawMarks(context: CanvasRenderingContext2D, line: Line, style: LineStyle, look: Look, at: Projection): void {
  context.fillStyle = style.colour;
  context.strokeStyle = look.surface;
  context.lineWidth = 1;
  let previous = -Infinity;
  for (const mark of line.marks) {
    const x = at.toX(mark);
    if (x - previous < 4) continue;
    previous = x;
    context.beginPath();
    context.moveTo(x, at.bottom - 8);
    context.lineTo(x + 4.5, at.bottom);
    context.lineTo(x - 4.5, at.bottom);
    context.closePath();
    context.fill();
    context.stroke();
  }
}

function stroke(context: CanvasRenderingContext2D, colour: string, [x0, y0, x1, y1]: readonly [number, number, number, number]): void {
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
