/** Precision-recall curves on a canvas, over contours of equal F1. */

import { chartAxes, type Frame, themeColours } from "$public/charts";
import { bestF1, contourPrecision, CONTOURS, pointsOf, type Curve } from "./model";

export interface DrawnCurve {
  readonly run: string;
  readonly curve: Curve;
  readonly token: string;
  readonly dashed: boolean;
}

export interface Picture {
  readonly curves: readonly DrawnCurve[];
  readonly focused: string | null;
  readonly theme: string;
}

/** On the right: what F1 a contour has. On the bottom, below the ticks: what the axes are. */
const LABELS_PX = 22;
const CAPTION_PX = 12;

export function frameFor(
  width: number,
  height: number,
  x: { from: number; to: number } | null,
  y: { from: number; to: number } | null,
): Frame {
  const whole = { from: 0, to: 1.02 };
  return chartAxes.frame({
    width,
    height: height - CAPTION_PX,
    unit: "metric",
    x: x ?? whole,
    y: y ?? whole,
    xScale: chartAxes.LINEAR,
    yScale: chartAxes.LINEAR,
    labelWidth: LABELS_PX,
  });
}

export function paint({ curves, focused, theme }: Picture, pen: CanvasRenderingContext2D, frame: Frame): void {
  pen.clearRect(0, 0, frame.width, frame.height);
  labelContours(pen, frame, theme);
  pen.save();
  pen.beginPath();
  pen.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  pen.clip();
  paintContours(pen, frame, theme);
  for (const { run, curve, token: name, dashed } of [...curves].sort(
    (a, b) => Number(a.run === focused) - Number(b.run === focused),
  )) {
    pen.strokeStyle = themeColours.token(name, theme);
    pen.globalAlpha = focused !== null && focused !== run ? 0.22 : 1;
    pen.lineWidth = run === focused ? 2.2 : 1.4;
    pen.setLineDash(dashed ? [5, 2.5] : []);
    pen.beginPath();
    for (const { recall, precision } of pointsOf(curve)) pen.lineTo(frame.toX(recall), frame.toY(precision));
    pen.stroke();
    pen.setLineDash([]);
    paintBest(pen, frame, curve, theme);
  }
  pen.restore();
}

const PARTS = 80;

function paintContours(pen: CanvasRenderingContext2D, frame: Frame, theme: string): void {
  pen.strokeStyle = themeColours.token("--line-2", theme);
  pen.lineWidth = 1;
  pen.setLineDash([2, 3]);
  for (const f1 of CONTOURS) {
    pen.beginPath();
    for (let part = 0; part <= PARTS; part += 1) {
      const recall = f1 / (2 - f1) + ((1 - f1 / (2 - f1)) * part) / PARTS;
      const precision = contourPrecision(f1, recall);
      if (precision !== null) pen.lineTo(frame.toX(recall), frame.toY(precision));
    }
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** Beside the plot, where a contour leaves it: full recall has this F1 at a precision of f1 / (2 − f1). */
function labelContours(pen: CanvasRenderingContext2D, frame: Frame, theme: string): void {
  pen.font = `10px ${themeColours.token("--font", theme)}`;
  pen.fillStyle = themeColours.token("--text-3", theme);
  pen.textBaseline = "middle";
  const placed = CONTOURS.map((f1) => ({ f1, y: frame.toY(f1 / (2 - f1)) })).filter(
    ({ y }) => y > frame.top + 12 && y < frame.bottom,
  );
  for (const { f1, y } of placed) pen.fillText(String(f1), frame.right + 4, y);
  if (placed.length > 0) pen.fillText("F1", frame.right + 4, placed.at(-1)!.y - 12);
}

/** A ring where F1 is best. */
function paintBest(pen: CanvasRenderingContext2D, frame: Frame, curve: Curve, theme: string): void {
  const best = bestF1(curve);
  if (!best) return;
  pen.beginPath();
  pen.arc(frame.toX(curve.recall[best.at]!), frame.toY(curve.precision[best.at]!), 4, 0, 2 * Math.PI);
  pen.fillStyle = themeColours.token("--surface", theme);
  pen.fill();
  pen.lineWidth = 1.6;
  pen.stroke();
}

/** The point of a curve nearest to the pointer, on the screen. */
export function nearestPoint(
  curves: readonly DrawnCurve[],
  frame: Frame,
  x: number,
  y: number,
): { run: string; threshold: number } | null {
  let best: { run: string; threshold: number } | null = null;
  let least = Infinity;
  for (const { run, curve } of curves) {
    for (const { at, recall, precision } of pointsOf(curve)) {
      const distance = (frame.toX(recall) - x) ** 2 + (frame.toY(precision) - y) ** 2;
      if (distance < least) [least, best] = [distance, { run, threshold: curve.thresholds[at]! }];
    }
  }
  return best;
}
