/** ROC, precision-recall, calibration and scores over thresholds, as lines on a canvas. */

import { chartAxes, themeColours, type Frame } from "$public/charts";
import { confusionAt, costOf, f1Of } from "../../../performance/confusion";
import type { PerformanceResult, SlicePerformance } from "../../../wire";

export type CurveName = "roc" | "pr" | "calibration" | "thresholds";
export const CURVES: readonly (readonly [CurveName, string])[] = [
  ["roc", "ROC"],
  ["pr", "PR"],
  ["calibration", "Calibration"],
  ["thresholds", "F1, cost"],
];

export interface Line {
  readonly name: string;
  /** A design token. */
  readonly token: string;
  readonly dashed: boolean;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** The point at the threshold in force. */
  readonly mark: { readonly x: number; readonly y: number } | null;
  /** What the legend says behind the name: the area, the average precision … */
  readonly value: string;
  /** Whiskers of the points, if they have any. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

export interface Curves {
  readonly lines: readonly Line[];
  readonly xTitle: string;
  readonly yTitle: string;
  readonly yTo: number;
  readonly diagonal: boolean;
}

/** As in the mock-up: the first slice is dashed, and colours are none of the truth's. */
const TOKENS = ["--run-6", "--run-11", "--run-3", "--run-5", "--run-8", "--run-10", "--run-7", "--run-9"];
const MAX_LINES = 8;

export function curvesOf(
  name: CurveName,
  result: PerformanceResult,
  slices: readonly SlicePerformance[],
  at: readonly number[],
  costRatio: number,
): Curves {
  const shown = slices.slice(0, MAX_LINES);
  const style = (index: number): Pick<Line, "name" | "token" | "dashed"> => ({
    name: slices.length > 1 ? shown[index]!.name : "",
    token: TOKENS[index % TOKENS.length]!,
    dashed: slices.length > 1 && index === 0,
  });
  if (name === "thresholds") return thresholdCurves(result, shown, at, costRatio, style);
  const lines = shown.map((slice, index): Line => {
    const point = confusionAt(slice, at[index]!);
    const recall = share(point.truePositives, slice.positives);
    if (name === "roc") {
      const fall = share(point.falsePositives, slice.negatives);
      return {
        ...style(index),
        x: slice.roc.false_positive_rate,
        y: slice.roc.true_positive_rate,
        mark: fall === null || recall === null ? null : { x: fall, y: recall },
        value: two(slice.roc.area),
      };
    }
    if (name === "pr") {
      const precision = share(point.truePositives, point.truePositives + point.falsePositives);
      return {
        ...style(index),
        x: slice.precision_recall.recall,
        y: slice.precision_recall.precision,
        mark: recall === null || precision === null ? null : { x: recall, y: precision },
        value: two(slice.precision_recall.average_precision),
      };
    }
    const bins = slice.calibration.bins;
    return {
      ...style(index),
      x: bins.map(({ score }) => score),
      y: bins.map(({ truth }) => truth.value),
      low: bins.map(({ truth }) => truth.low),
      high: bins.map(({ truth }) => truth.high),
      mark: null,
      value: two(slice.calibration.expected_error),
    };
  });
  const titles = {
    roc: ["false positive rate", "true positive rate"],
    pr: ["recall", "precision"],
    calibration: ["score", "share of positives"],
  }[name];
  return { lines, xTitle: titles[0]!, yTitle: titles[1]!, yTo: 1, diagonal: name !== "pr" };
}

/** F1 of each slice, and the cost of its rows beside the most expensive threshold. */
function thresholdCurves(
  { thresholds }: PerformanceResult,
  slices: readonly SlicePerformance[],
  at: readonly number[],
  costRatio: number,
  style: (index: number) => Pick<Line, "name" | "token" | "dashed">,
): Curves {
  const lines = slices.flatMap((slice, index): readonly Line[] => {
    const every = thresholds.map((_, i) => confusionAt(slice, i));
    const costs = every.map((one) => costOf(one, costRatio) ?? 0);
    const highest = Math.max(1, ...costs);
    const line = (value: string, y: readonly (number | null)[], dashed: boolean): Line => {
      const marked = y[at[index]!] ?? null;
      const x = thresholds[at[index]!];
      const mark = marked === null || x === undefined ? null : { x, y: marked };
      return { ...style(index), dashed, x: thresholds, y, mark, value };
    };
    return [
      line("F1", every.map(f1Of), false),
      line(
        "cost",
        costs.map((cost) => cost / highest),
        true,
      ),
    ];
  });
  return { lines, xTitle: "threshold", yTitle: "F1; cost, of the highest", yTo: 1, diagonal: false };
}

const share = (count: number, of: number): number | null => (of === 0 ? null : count / of);
const two = (value: number | null): string => (value === null ? "n/a" : value.toFixed(2));

const CAPTION_PX = 14;

export function frameFor(width: number, height: number, curves: Curves, x: { from: number; to: number }): Frame {
  return chartAxes.frame({
    width,
    height: height - CAPTION_PX,
    unit: "metric",
    x,
    y: { from: 0, to: curves.yTo * 1.02 },
    xScale: chartAxes.LINEAR,
    yScale: chartAxes.LINEAR,
    labelWidth: 0,
  });
}

export function paintCurves(
  pen: CanvasRenderingContext2D,
  frame: Frame,
  curves: Curves,
  theme: "light" | "dark",
): void {
  const token = (name: string): string => themeColours.token(name, theme);
  pen.clearRect(0, 0, frame.width, frame.height + CAPTION_PX);
  if (curves.diagonal) {
    pen.strokeStyle = token("--line-2");
    pen.setLineDash([2, 3]);
    pen.beginPath();
    pen.moveTo(frame.toX(frame.x.from), frame.toY(0));
    pen.lineTo(frame.toX(frame.x.to), frame.toY(1));
    pen.stroke();
  }
  for (const line of curves.lines) paintLine(pen, frame, line, token);
  pen.setLineDash([]);
}

function paintLine(pen: CanvasRenderingContext2D, frame: Frame, line: Line, token: (name: string) => string): void {
  pen.strokeStyle = pen.fillStyle = token(line.token);
  pen.lineWidth = 1.4;
  pen.setLineDash(line.dashed ? [5, 3] : []);
  pen.beginPath();
  let isDown = false;
  for (const [i, x] of line.x.entries()) {
    const y = line.y[i] ?? null;
    if (y !== null) pen[isDown ? "lineTo" : "moveTo"](frame.toX(x), frame.toY(y));
    isDown = y !== null;
  }
  pen.stroke();
  pen.setLineDash([]);
  for (const [i, x] of line.x.entries()) {
    const [low, high] = [line.low?.[i] ?? null, line.high?.[i] ?? null];
    if (low === null || high === null) continue;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(frame.toX(x), frame.toY(low));
    pen.lineTo(frame.toX(x), frame.toY(high));
    pen.stroke();
  }
  if (line.mark) {
    pen.beginPath();
    pen.arc(frame.toX(line.mark.x), frame.toY(line.mark.y), 4, 0, 2 * Math.PI);
    pen.fill();
    pen.lineWidth = 1.5;
    pen.strokeStyle = token("--surface");
    pen.stroke();
  }
}
