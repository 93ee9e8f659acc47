/** Percentiles along the steps, as bands around a median. */

import {
  type Frame,
  type HistogramBlock,
  type HistogramRow,
  type Range,
  type Scale,
  chartAxes,
  themeColours,
} from "$public/charts";
import { type Axis } from "$public/core";

/** Per histogram: minimum, 6.68 %, 15.87 %, 30.85 %, median, and the same upwards. */
export const LEVELS = 9;
const MEDIAN = 4;
/** From the outside in: 0 to 100 %, 6.68 to 93.32 % … */
const BANDS = [0, 1, 2, 3] as const;
/** How strong each band is, on its own and where several runs lie on top of each other. */
const LONE = [0.14, 0.26, 0.4, 0.58] as const;
const AMONG = [0.05, 0.08, 0.12, 0.16] as const;

export function levelsOf({ percentiles }: HistogramBlock, row: number): Float64Array {
  return Float64Array.from(percentiles.subarray(row * LEVELS, (row + 1) * LEVELS));
}

const CUT_ROWS = 0.1;

/** What the value axis spans; with `clip` a tenth of the steps may reach beyond it. */
export function levelRange(block: HistogramBlock, rows: readonly HistogramRow[], clip: boolean): Range | null {
  const ends = rows
    .map(({ row }) => levelsOf(block, row))
    .filter((levels) => Number.isFinite(levels[0]! + levels[LEVELS - 1]!));
  if (ends.length === 0) return null;
  const cut = clip ? Math.floor(ends.length * CUT_ROWS) : 0;
  const from = ends.map((levels) => levels[0]!).sort((a, b) => a - b)[cut]!;
  const to = ends.map((levels) => levels[LEVELS - 1]!).sort((a, b) => b - a)[cut]!;
  if (from < to) return { from, to };
  const air = Math.abs(from) * 0.1 || 1;
  return { from: Math.min(from, to) - air, to: Math.max(from, to) + air };
}

export interface Picture {
  readonly axis: Axis;
  readonly along: Range;
  readonly value: Range;
  readonly scale: Scale;
  /** Of each run: steps with a value, cut where one is missing, and where an attempt begins that was replaced. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly run: string;
  readonly alpha: number;
  readonly points: { readonly along: number; readonly levels: Float64Array }[];
}

export function pictureOf(
  block: HistogramBlock,
  rows: readonly HistogramRow[],
  input: { axis: Axis; along: Range | null; value: Range; isLog: boolean },
): Picture {
  const ends = { from: rows[0]?.along ?? 0, to: rows.at(-1)?.along ?? 1 };
  const parts: Part[] = [];
  for (const run of new Set(rows.map((row) => row.run))) {
    let open = null as Part | null;
    for (const { row, along, alpha } of rows.filter((each) => each.run === run)) {
      const levels = levelsOf(block, row);
      if (!levels.every(Number.isFinite)) {
        open = null;
        continue;
      }
      if (open?.alpha !== alpha) parts.push((open = { run, alpha, points: [] }));
      open.points.push({ along, levels });
    }
  }
  const size = Math.max(Math.abs(input.value.from), Math.abs(input.value.to));
  return {
    axis: input.axis,
    value: input.value,
    parts,
    along: input.along ?? (ends.from < ends.to ? ends : { from: ends.from - 0.5, to: ends.to + 0.5 }),
    // Three decades on either side of zero can be told apart.
    scale: input.isLog ? { kind: "symlog", constant: size / 1000 || 1 } : chartAxes.LINEAR,
  };
}

export function frameFor({ axis, along, value, scale }: Picture, width: number, height: number): Frame {
  return chartAxes.frame({
    width,
    height,
    unit: axis,
    x: along,
    y: value,
    xScale: chartAxes.LINEAR,
    yScale: scale,
    labelWidth: 0,
  });
}

export interface Appearance {
  readonly theme: string;
  readonly tokenOf: (run: string) => string;
  readonly focused: string | null;
}

export function paint({ parts }: Picture, appearance: Appearance, pen: CanvasRenderingContext2D, frame: Frame): void {
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.save();
  pen.beginPath();
  pen.rect(frame.left, frame.top - 1, frame.right - frame.left, frame.bottom - frame.top + 2);
  pen.clip();
  const several = new Set(parts.map(({ run }) => run)).size > 1;
  for (const { run, alpha, points } of parts) {
    const colour = `#${themeColours
      .rgb(themeColours.token(appearance.tokenOf(run), appearance.theme))
      .toString(16)
      .padStart(6, "0")}`;
    const isDimmed = appearance.focused !== null && appearance.focused !== run;
    const strength = isDimmed ? 0.22 : alpha;
    pen.fillStyle = pen.strokeStyle = colour;
    for (const band of BANDS) {
      pen.globalAlpha = strength * (several ? AMONG : LONE)[band]!;
      fillBand(pen, frame, points, band);
    }
    pen.globalAlpha = strength;
    pen.lineWidth = 1.4;
    strokeMedian(pen, frame, points);
  }
  pen.restore();
}

type Points = Picture["parts"][number]["points"];
/** A step alone is a bar: it has no neighbour to reach to. */
const BAR_PX = 8;

const xsOf = (frame: Frame, points: Points): number[][] =>
  points.length > 1
    ? points.map(({ along }) => [frame.toX(along)])
    : points.map(({ along }) => [frame.toX(along) - BAR_PX / 2, frame.toX(along) + BAR_PX / 2]);

function fillBand(pen: CanvasRenderingContext2D, frame: Frame, points: Points, band: number): void {
  const xs = xsOf(frame, points);
  pen.beginPath();
  points.forEach(({ levels }, index) =>
    xs[index]!.forEach((x) => pen.lineTo(x, frame.toY(levels[LEVELS - 1 - band]!))),
  );
  for (let index = points.length - 1; index >= 0; index -= 1) {
    for (const x of xs[index]!.toReversed()) pen.lineTo(x, frame.toY(points[index]!.levels[band]!));
  }
  pen.fill();
}

function strokeMedian(pen: CanvasRenderingContext2D, frame: Frame, points: Points): void {
  const xs = xsOf(frame, points);
  pen.beginPath();
  points.forEach(({ levels }, index) => xs[index]!.forEach((x) => pen.lineTo(x, frame.toY(levels[MEDIAN]!))));
  pen.stroke();
}
