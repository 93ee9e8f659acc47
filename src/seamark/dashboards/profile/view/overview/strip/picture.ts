/** Draws one step by resource on a canvas. */

import { chartAxes, themeColours } from "$public/charts";
import { fontOf } from "../../canvas";
import { timeText, timeUnit } from "../../numbers";
import { activityStyle } from "../../parts";
import type { ResourceStrip, StepStrip } from "../../wire";
import { idleTints, isIdleRow, LABEL_PX, NUMBER_PX, ROW_LABELS, ROW_PX, segmentsOf } from "./strip";

export function drawStrip(context: CanvasRenderingContext2D, strip: StepStrip, width: number, theme: string): void {
  const token = (name: string): string => themeColours.token(name, theme);
  const inner = Math.max(1, width - LABEL_PX - NUMBER_PX);
  const rows = strip.strips.length * ROW_PX;
  context.textBaseline = "middle";
  context.fillStyle = token("--warn-fill");
  context.globalAlpha = 0.1;
  for (const tint of idleTints(strip, inner)) context.fillRect(LABEL_PX + tint.x, 0, tint.width, rows);
  context.globalAlpha = 1;
  strip.strips.forEach((row, index) => drawRow(context, row, { strip, inner, width, top: index * ROW_PX, token }));
  drawAxis(context, strip, { inner, y: rows + 12, token });
}

interface RowPlace {
  readonly strip: StepStrip;
  readonly inner: number;
  readonly width: number;
  readonly top: number;
  readonly token: (name: string) => string;
}

function drawRow(context: CanvasRenderingContext2D, row: ResourceStrip, place: RowPlace): void {
  const { strip, inner, width, top, token } = place;
  const isIdle = isIdleRow(row);
  context.font = fontOf(token("--font"), 11);
  context.fillStyle = token(isIdle ? "--warn" : "--text-2");
  context.textAlign = "left";
  context.fillText(ROW_LABELS[row.name] ?? row.name, 12, top + ROW_PX / 2);
  context.fillStyle = token(isIdle ? "--warn" : "--text");
  context.textAlign = "right";
  context.fillText(row.busy_ns > 0 ? timeText(row.busy_ns) : "–", width, top + ROW_PX / 2);
  for (const segment of segmentsOf(row, strip.step.duration_ns, inner)) {
    context.fillStyle = token(isIdle ? "--warn-fill" : activityStyle(segment.activity).token);
    const [y, height] = isIdle ? [top + 6, 4] : [top + 3, ROW_PX - 6];
    context.fillRect(LABEL_PX + segment.x, y, Math.max(1, segment.width - 0.5), height);
  }
  if (isIdle) return;
  context.strokeStyle = token("--grid");
  context.beginPath();
  context.moveTo(LABEL_PX, top + ROW_PX - 0.5);
  context.lineTo(LABEL_PX + inner, top + ROW_PX - 0.5);
  context.stroke();
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { step }: StepStrip,
  { inner, y, token }: { readonly inner: number; readonly y: number; readonly token: (name: string) => string },
): void {
  const unit = timeUnit(step.duration_ns);
  context.font = fontOf(token("--font"));
  context.fillStyle = token("--text-3");
  const count = Math.max(2, Math.floor(inner / 150));
  for (const { value, label } of chartAxes.ticks(
    chartAxes.LINEAR,
    { from: 0, to: step.duration_ns / unit.ns },
    count,
  )) {
    context.textAlign = value === 0 ? "left" : "center";
    context.fillText(
      value === 0 ? `0 ${unit.name}` : label,
      LABEL_PX + ((value * unit.ns) / step.duration_ns) * inner,
      y,
    );
  }
}
