/** The three pictures of histograms on a canvas: ridges one behind the other, lines on top of each other, a heat map. */

import {
  chartAxes,
  type Frame,
  type HistogramBlock,
  type HistogramRow,
  type Mode,
  type Range,
  type Scale,
  themeColours,
} from "$public/charts";
import type { Axis } from "$public/core";
import { paintHeat } from "./heat";
import { rebin } from "./model";

export interface Picture {
  readonly mode: Mode;
  readonly axis: Axis;
  readonly rows: readonly HistogramRow[];
  readonly value: Range;
  readonly along: Range;
  /** Counts in equal parts of `value`, one array per row. */
  readonly heights: readonly Float64Array[];
  /** The largest of them. */
  readonly highest: number;
  readonly scale: Scale;
}

interface PictureInput {
  readonly mode: Mode;
  readonly axis: Axis;
  readonly rows: readonly HistogramRow[];
  readonly value: Range;
  readonly along: Range | null;
  readonly bins: number;
  readonly isLog: boolean;
}

export function pictureOf(
  block: HistogramBlock,
  { mode, axis, rows, value, along, bins, isLog }: PictureInput,
): Picture {
  const heights = rows.map(({ row }) => rebin(block, row, value, bins));
  let highest = 0;
  for (const row of heights) for (const height of row) if (height > highest) highest = height;
  const ends = { from: rows[0]?.along ?? 0, to: rows.at(-1)?.along ?? 1 };
  return {
    mode,
    axis,
    rows,
    value,
    heights,
    highest: highest || 1,
    scale: isLog ? { kind: "symlog", constant: 1 } : chartAxes.LINEAR,
    along: along ?? (ends.from < ends.to ? ends : { from: ends.from - 0.5, to: ends.to + 0.5 }),
  };
}

const RIDGE_SHARE = 0.3;
const PX_PER_TICK = 34;

export function frameFor({ mode, axis, value, along, highest, scale }: Picture, width: number, height: number): Frame {
  const size = { width, height, labelWidth: 0, xScale: chartAxes.LINEAR, yScale: chartAxes.LINEAR };
  if (mode === "heat") return chartAxes.frame({ ...size, unit: axis, x: along, y: value });
  if (mode === "overlay")
    return chartAxes.frame({ ...size, unit: "metric", x: value, y: { from: 0, to: highest }, yScale: scale });
  // Old ones stand behind, so the axis runs down: on the plot's own y that is the negative of the axis.
  const yTicks = chartAxes
    .ticksOfX(axis, chartAxes.LINEAR, along, Math.max(2, Math.round((height * 0.6) / PX_PER_TICK)))
    .map(({ value: at, label }) => ({ value: -at, label }));
  return chartAxes.frame({
    ...size,
    unit: "metric",
    x: value,
    y: { from: -along.to, to: -along.from },
    yTicks,
    headroom: height * RIDGE_SHARE,
  });
}

const isInside = ({ from, to }: Range, along: number): boolean => along >= from && along <= to;

/** Where the top of a bin is. */
export function topOf(picture: Picture, frame: Frame, index: number, bin: number): number {
  const height = picture.heights[index]![bin]!;
  if (picture.mode === "overlay") return frame.toY(height);
  const share = chartAxes.project(picture.scale, height) / chartAxes.project(picture.scale, picture.highest);
  return frame.toY(-picture.rows[index]!.along) - share * frame.height * RIDGE_SHARE;
}

/** The outline of one histogram: through the middle of its bins, down to its baseline at both ends. */
export function outline(picture: Picture, frame: Frame, index: number): { x: number; y: number }[] {
  const bins = picture.heights[index]!.length;
  const base = picture.mode === "overlay" ? frame.bottom : frame.toY(-picture.rows[index]!.along);
  const wide = (frame.right - frame.left) / bins;
  const points = [{ x: frame.left, y: base }];
  for (let bin = 0; bin < bins; bin += 1)
    points.push({ x: frame.left + (bin + 0.5) * wide, y: topOf(picture, frame, index, bin) });
  points.push({ x: frame.right, y: base });
  return points;
}

export interface Appearance {
  readonly theme: string;
  readonly tokenOf: (run: string) => string;
  readonly focused: string | null;
}

export function paint(picture: Picture, appearance: Appearance, pen: CanvasRenderingContext2D, frame: Frame): void {
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.save();
  pen.beginPath();
  pen.rect(frame.left, 0, frame.right - frame.left, frame.bottom + 1);
  pen.clip();
  if (picture.mode === "heat") paintHeat(picture, appearance.theme, pen, frame);
  else paintLines(picture, appearance, pen, frame);
  pen.restore();
}

function paintLines(picture: Picture, appearance: Appearance, pen: CanvasRenderingContext2D, frame: Frame): void {
  const surface = themeColours.rgb(themeColours.token("--surface", appearance.theme));
  const several = new Set(picture.rows.map(({ run }) => run)).size > 1;
  const ridge = picture.mode === "ridge";
  picture.rows.forEach(({ run, along, alpha: strength }, index) => {
    if (!isInside(picture.along, along)) return;
    const age = (along - picture.along.from) / (picture.along.to - picture.along.from);
    const colour = themeColours.rgb(themeColours.token(appearance.tokenOf(run), appearance.theme));
    const faded = mix(surface, colour, 0.25 + 0.75 * age);
    const dimmed = appearance.focused !== null && appearance.focused !== run;
    const alpha = dimmed ? 0.22 : strength;
    pen.globalAlpha = alpha;
    trace(pen, outline(picture, frame, index));
    if (ridge) {
      pen.fillStyle = several ? mix(surface, colour, 0.3) : mix(surface, colour, 0.2 + 0.6 * age);
      pen.globalAlpha *= several ? 0.55 : 0.92;
      pen.fill();
      pen.globalAlpha = alpha;
    }
    pen.lineWidth = 1;
    pen.strokeStyle = ridge && !several ? mix(surface, colour, age * 0.35) : faded;
    pen.stroke();
  });
}

function trace(pen: CanvasRenderingContext2D, points: readonly { x: number; y: number }[]): void {
  pen.beginPath();
  for (const { x, y } of points) pen.lineTo(x, y);
}

const mix = (from: number, to: number, share: number): string =>
  `#${themeColours.mix(from, to, share).toString(16).padStart(6, "0")}`;
