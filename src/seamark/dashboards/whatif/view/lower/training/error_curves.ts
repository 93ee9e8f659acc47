/** The error of slices over steps, on a canvas. */

import { chartAxes, themeColours, type Frame } from "$public/charts";
import type { SliceOverSteps, TrainingResult } from "../../wire";

const TOKENS = ["--text", "--run-6", "--run-11", "--run-3", "--run-5", "--run-8", "--run-10", "--run-7", "--run-9"];

/** The first slice is all rows. */
export const tokenOf = (index: number): string => TOKENS[index % TOKENS.length]!;

export function highestError(slices: readonly SliceOverSteps[]): number {
  const errors = slices.flatMap(({ steps }) => steps.map(({ error, high }) => high ?? error ?? 0));
  return Math.max(1e-9, ...errors);
}

export function frameFor(width: number, height: number, { steps, slices }: TrainingResult): Frame {
  return chartAxes.frame({
    width,
    height,
    unit: "step",
    x: { from: steps[0] ?? 0, to: steps.at(-1) ?? 1 },
    y: { from: 0, to: highestError(slices) * 1.05 },
    xScale: chartAxes.LINEAR,
    yScale: chartAxes.LINEAR,
    labelWidth: 0,
  });
}

export function paintErrors(
  pen: CanvasRenderingContext2D,
  frame: Frame,
  { slices }: TrainingResult,
  theme: "light" | "dark",
): void {
  pen.clearRect(0, 0, frame.width, frame.height);
  for (const [index, { steps }] of slices.entries()) {
    const points = steps.filter(({ error }) => error !== null);
    const banded = points.filter(({ low, high }) => low !== null && high !== null);
    pen.fillStyle = pen.strokeStyle = themeColours.token(tokenOf(index), theme);
    pen.globalAlpha = 0.14;
    pen.beginPath();
    for (const { step, high } of banded) pen.lineTo(frame.toX(step), frame.toY(high!));
    for (const { step, low } of banded.toReversed()) pen.lineTo(frame.toX(step), frame.toY(low!));
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = index === 0 ? 2 : 1.4;
    pen.setLineDash(index === 1 ? [5, 3] : []);
    pen.beginPath();
    for (const { step, error } of points) pen.lineTo(frame.toX(step), frame.toY(error!));
    pen.stroke();
  }
  pen.setLineDash([]);
}
