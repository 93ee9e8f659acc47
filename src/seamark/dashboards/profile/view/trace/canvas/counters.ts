/** Draws a counter as steps: its value holds until the next one. */

import { format } from "$public/core";
import type { CounterEntry, CounterWindow } from "../../wire";
import type { Lane } from "../tracks/layout";
import type { TraceColours } from "./colours";
import { toX, type Scene } from "./scene";

const MIN_LIMIT_SHARE = 0.25;

export function drawCounter(
  context: CanvasRenderingContext2D,
  scene: Scene,
  lane: Lane,
  y: number,
  values: CounterWindow,
  { named }: TraceColours,
): void {
  // prettier-ignore
  if (values.time.length === 0) return;
  const [least, highest] = rangeOf(values);
  const limit = lane.counter?.limit ?? null;
  const most = showsLimit(highest, limit) ? Math.max(highest, limit!) : highest;
  const base = y + lane.height - 2;
  const toY = (value: number): number =>
    base - 1 - ((value - least) / Math.max(most - least, 1e-12)) * (lane.height - 8);
  const isBytes = lane.counter?.unit === "bytes";
  context.beginPath();
  traceSteps(context, scene, values, toY);
  context.strokeStyle = isBytes ? named.accent : named.text3;
  context.lineWidth = 1.2;
  context.stroke();
  context.lineWidth = 1;
  context.lineTo(scene.width, base);
  context.lineTo(Math.max(toX(scene, values.time[0]!), 0), base);
  context.fillStyle = isBytes ? named.accent : named.text3;
  context.globalAlpha = 0.16;
  context.fill();
  context.globalAlpha = 1;
  if (showsLimit(highest, limit)) drawLimit(context, scene.width, toY(limit!), limit!, named);
}

/** Far below its limit a curve would be a flat line: then the label alone names it. */
export const showsLimit = (highest: number, limit: number | null): boolean =>
  limit !== null && highest >= limit * MIN_LIMIT_SHARE;

function drawLimit(
  context: CanvasRenderingContext2D,
  width: number,
  y: number,
  limit: number,
  named: TraceColours["named"],
): void {
  // prettier-ignore
  const line = Math.round(y) + 0.5;
  context.strokeStyle = named.err;
  context.setLineDash([3, 2]);
  context.beginPath();
  context.moveTo(0, line);
  context.lineTo(width, line);
  context.stroke();
  context.setLineDash([]);
  const text = `limit ${format.bytes(limit)}`;
  context.font = `400 11px ${named.font}`;
  context.textAlign = "left";
  context.textBaseline = "top";
  // The curve may pass behind it.
  context.fillStyle = named.surface;
  context.fillRect(4, line + 2, context.measureText(text).width + 4, 13);
  context.fillStyle = named.err;
  context.fillText(text, 6, line + 3);
}

function traceSteps(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { time, max }: CounterWindow,
  toY: (value: number) => number,
): void {
  // prettier-ignore
  let lastY = toY(max[0]!);
  context.moveTo(Math.max(toX(scene, time[0]!), 0), lastY);
  for (let at = 0; at < time.length; at += 1) {
    const x = toX(scene, time[at]!);
    if (x > scene.width) break;
    const y = toY(max[at]!);
    context.lineTo(Math.max(x, 0), lastY);
    context.lineTo(Math.max(x, 0), y);
    lastY = y;
  }
  context.lineTo(scene.width, lastY);
}

/** From 0, or from the least value below it, to the largest one. */
export function rangeOf({ min, max }: CounterWindow): [number, number] {
  let [least, most] = [0, 0];
  for (const value of min) if (value < least) least = value;
  for (const value of max) if (value > most) most = value;
  return [least, most];
}

/** "71.2 GB of 80 GB": the most that is visible, and the limit. */
export function counterNote(values: CounterWindow | undefined, { unit, limit }: CounterEntry): string {
  if (!values || values.max.length === 0) return "";
  const [, most] = rangeOf(values);
  if (unit !== "bytes") return `${format.short(most)}${unit && ` ${unit}`}`;
  return limit === null ? format.bytes(most) : `${format.bytes(most)} of ${format.bytes(limit)}`;
}
