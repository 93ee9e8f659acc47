/** Draws a curve of memory: steps as bands, reserved as a line, allocated as an area, the limit. */

import { themeColours, type Frame } from "$public/charts";
import type { MemoryCurve, Step } from "../wire";

export interface MemoryPicture {
  readonly curve: MemoryCurve;
  readonly steps: readonly Step[];
  /** The end of the trace: the last value lasts until then. */
  readonly end: number;
  readonly theme: "light" | "dark";
}

export function drawMemory(context: CanvasRenderingContext2D, frame: Frame, picture: MemoryPicture): void {
  const token = (name: string): string => themeColours.token(name, picture.theme);
  const { curve, steps } = picture;
  context.save();
  context.beginPath();
  context.rect(frame.left, 0, frame.right - frame.left, frame.bottom);
  context.clip();
  drawSteps(context, frame, steps, token);
  drawAllocated(context, frame, picture, token("--accent"));
  if (curve.reserved) {
    context.strokeStyle = token("--text-3");
    context.setLineDash([3, 2]);
    stroke(context, stairs(frame, curve.times_ns, curve.reserved, picture.end));
    context.setLineDash([]);
  }
  drawPeak(context, frame, curve, token);
  drawLimit(context, frame, curve, token);
  context.restore();
}

type Token = (name: string) => string;

function drawSteps(context: CanvasRenderingContext2D, frame: Frame, steps: readonly Step[], token: Token): void {
  context.font = `10px ${token("--font")}`;
  context.textBaseline = "top";
  steps.forEach(({ start_ns, duration_ns, name, number }, index) => {
    const from = frame.toX(start_ns);
    const width = frame.toX(start_ns + duration_ns) - from;
    if (from > frame.right || from + width < frame.left || width < 2) return;
    if (index % 2 === 0) {
      context.fillStyle = token("--grid");
      context.fillRect(from, frame.top, width, frame.bottom - frame.top);
    }
    const text = number === null ? name : String(number);
    context.fillStyle = token("--text-3");
    if (context.measureText(text).width < width - 6) context.fillText(text, from + 3, 3);
  });
}

function drawAllocated(
  context: CanvasRenderingContext2D,
  frame: Frame,
  { curve, end }: MemoryPicture,
  colour: string,
): void {
  const points = stairs(frame, curve.times_ns, curve.allocated, end);
  if (points.length === 0) return;
  context.fillStyle = colour;
  context.globalAlpha = 0.14;
  context.beginPath();
  context.moveTo(points[0]![0], frame.bottom);
  for (const [x, y] of points) context.lineTo(x, y);
  context.lineTo(points.at(-1)![0], frame.bottom);
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  stroke(context, points);
}

function drawPeak(context: CanvasRenderingContext2D, frame: Frame, curve: MemoryCurve, token: Token): void {
  const [x, y] = [frame.toX(curve.peak_ns), frame.toY(curve.peak_bytes)];
  context.fillStyle = token("--accent");
  context.beginPath();
  context.arc(x, y, 3.5, 0, 2 * Math.PI);
  context.fill();
}

function drawLimit(context: CanvasRenderingContext2D, frame: Frame, { limit_bytes }: MemoryCurve, token: Token): void {
  if (limit_bytes === null || limit_bytes > frame.y.to) return;
  const y = Math.round(frame.toY(limit_bytes)) + 0.5;
  context.strokeStyle = token("--err");
  context.lineWidth = 1;
  stroke(context, [
    [frame.left, y],
    [frame.right, y],
  ]);
  context.fillStyle = token("--err");
  context.textBaseline = "top";
  context.fillText("limit", frame.left + 4, y + 3);
}

/** A value lasts until the next one. */
function stairs(
  frame: Frame,
  times: readonly number[],
  values: readonly number[],
  end: number,
): readonly (readonly [number, number])[] {
  const points: [number, number][] = [];
  times.forEach((time, index) => {
    const [x, y] = [frame.toX(time), frame.toY(values[index]!)];
    const before = points.at(-1);
    if (before) points.push([x, before[1]]);
    points.push([x, y]);
  });
  const last = points.at(-1);
  if (last) points.push([Math.max(last[0], frame.toX(end)), last[1]]);
  return points;
}

function stroke(context: CanvasRenderingContext2D, points: readonly (readonly [number, number])[]): void {
  context.beginPath();
  points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}
