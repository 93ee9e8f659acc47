/** The geometry of partial dependence: paths in pixels, ticks and the position of a value. */

import { chartAxes } from "$public/charts";
import type { Cell, PartialDependence } from "../../wire";
import { textOfCell } from "../edits/edits";

export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

export interface PlotTick {
  readonly at: number;
  readonly text: string;
}

export interface CurvePlot {
  readonly others: string;
  readonly point: string;
  readonly mean: string;
  readonly band: string;
  readonly xTicks: readonly PlotTick[];
  readonly yTicks: readonly PlotTick[];
  /** Of the point with its own value; null if it is outside. */
  readonly own: { readonly x: number; readonly y: number } | null;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly isCategory: boolean;
}

const MARGIN = { left: 34, right: 10, top: 6, bottom: 18 } as const;
const PX_PER_X_TICK = 64;
const PX_PER_Y_TICK = 44;
const PX_PER_LETTER = 6;

export function curvePlot(result: PartialDependence, own: Cell, size: PlotSize): CurvePlot {
  const frame = {
    left: MARGIN.left,
    right: Math.max(MARGIN.left + 1, size.width - MARGIN.right),
    top: MARGIN.top,
    bottom: Math.max(MARGIN.top + 1, size.height - MARGIN.bottom),
  };
  const isCategory = result.grid.some((value) => typeof value !== "number");
  const positionOf = xPosition(result.grid, isCategory, frame);
  const xs = result.grid.map((value) => positionOf(value) ?? frame.left);
  const range = scoreRange(result);
  const y = (score: number): number =>
    frame.bottom - ((score - range[0]) / (range[1] - range[0])) * (frame.bottom - frame.top);
  const line = (scores: readonly (number | null)[]): string => linePath(xs, scores, y);
  const ownX = positionOf(own);
  return {
    ...frame,
    isCategory,
    others: result.curves.map(({ scores }) => line(scores)).join(""),
    point: line(result.point),
    mean: line(result.mean),
    band: bandPath(xs, result.low, result.high, y),
    xTicks: isCategory
      ? nameTicks(result.grid, xs, frame)
      : numberTicks(result.grid as readonly number[], positionOf, frame),
    yTicks: chartAxes
      .ticks(
        chartAxes.LINEAR,
        { from: range[0], to: range[1] },
        Math.max(2, Math.round((frame.bottom - frame.top) / PX_PER_Y_TICK)),
      )
      .map(({ value, label }) => ({ at: y(value), text: label })),
    own: ownX === null || result.own === null ? null : { x: ownX, y: y(result.own) },
  };
}

/** Probabilities have the range 0 to 1, so that plots of several features can be compared; others that of the curves. */
export function scoreRange(result: PartialDependence): [number, number] {
  const scores = [result.point, result.mean, ...result.curves.map((curve) => curve.scores)]
    .flat()
    .filter((score): score is number => score !== null);
  const low = Math.min(...scores, Infinity);
  const high = Math.max(...scores, -Infinity);
  if (!(low <= high)) return [0, 1];
  if (result.class_name !== "" && low >= 0 && high <= 1) return [0, 1];
  const margin = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - margin, high + margin];
}

type Frame = Pick<CurvePlot, "left" | "right" | "top" | "bottom">;

function xPosition(grid: readonly Cell[], isCategory: boolean, { left, right }: Frame): (value: Cell) => number | null {
  if (isCategory) {
    const step = (right - left) / Math.max(1, grid.length);
    return (value) => {
      const index = grid.indexOf(value);
      return index < 0 ? null : left + (index + 0.5) * step;
    };
  }
  const low = grid[0] as number;
  const high = grid.at(-1) as number;
  return (value) =>
    typeof value !== "number" || value < low || value > high
      ? null
      : high === low
        ? (left + right) / 2
        : left + ((value - low) / (high - low)) * (right - left);
}

function numberTicks(grid: readonly number[], at: (value: Cell) => number | null, frame: Frame): PlotTick[] {
  const low = grid[0] ?? 0;
  const high = grid.at(-1) ?? 0;
  if (low === high) return [{ at: (frame.left + frame.right) / 2, text: textOfCell(low) }];
  const count = Math.max(2, Math.round((frame.right - frame.left) / PX_PER_X_TICK));
  return chartAxes
    .ticks(chartAxes.LINEAR, { from: low, to: high }, count)
    .map(({ value, label }) => ({ at: at(value) ?? frame.left, text: label }));
}

function nameTicks(grid: readonly Cell[], xs: readonly number[], frame: Frame): PlotTick[] {
  const letters = Math.max(1, Math.floor((frame.right - frame.left) / Math.max(1, grid.length) / PX_PER_LETTER) - 1);
  return grid.map((value, index) => ({ at: xs[index]!, text: shortened(textOfCell(value), letters) }));
}

const shortened = (text: string, letters: number): string =>
  text.length <= letters ? text : letters < 3 ? "" : `${text.slice(0, letters - 1)}…`;

/** Begins anew after a missing score. */
export function linePath(
  xs: readonly number[],
  scores: readonly (number | null)[],
  y: (score: number) => number,
): string {
  let path = "";
  let isDrawing = false;
  scores.forEach((score, index) => {
    if (score !== null) path += `${isDrawing ? "L" : "M"}${xs[index]!.toFixed(1)} ${y(score).toFixed(1)}`;
    isDrawing = score !== null;
  });
  return path;
}

function bandPath(
  xs: readonly number[],
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  y: (score: number) => number,
): string {
  const known = [...xs.keys()].filter((index) => low[index] != null && high[index] != null);
  if (known.length < 2) return "";
  const corner = (index: number, score: number): string => `${xs[index]!.toFixed(1)} ${y(score).toFixed(1)}`;
  const forth = known.map((index) => corner(index, high[index]!));
  const back = known.toReversed().map((index) => corner(index, low[index]!));
  return `M${[...forth, ...back].join("L")}Z`;
}
