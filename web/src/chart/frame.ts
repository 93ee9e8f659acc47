/** The geometry of a chart: where the plot lies in its box, its ticks, and the way between data and pixels. */

import { placeLabels } from "./marks/place_labels";
import { project, invert, type Range, type Scale } from "./scale";
import type { XUnit } from "./series";
import { textWidth } from "./text_width";
import { ticksOf, ticksOfX, type Tick } from "./ticks";

export interface FrameInput {
  readonly width: number;
  readonly height: number;
  readonly unit: XUnit;
  readonly x: Range;
  readonly y: Range;
  readonly xScale: Scale;
  readonly yScale: Scale;
  /** Room for labels at the ends of lines. */
  readonly labelWidth: number;
  /** Instead of those that the range asks for: where y stands for something else. */
  readonly yTicks?: readonly Tick[];
  /** Pixels above the top of y: what stands on a line needs room. */
  readonly headroom?: number;
}

export interface PlacedTick extends Tick {
  readonly at: number;
}

export interface Frame extends Omit<FrameInput, "yTicks"> {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly xTicks: readonly PlacedTick[];
  readonly yTicks: readonly PlacedTick[];
  toX(value: number): number;
  toY(value: number): number;
  fromX(pixel: number): number;
  fromY(pixel: number): number;
}

const MARGIN = { right: 10, top: 6, bottom: 19 };
const GUTTER = 36;
/** What a plot is narrower than its box, at least. */
export const MARGINS_PX = GUTTER + MARGIN.right;
/** Above and below a plot. */
export const MARGINS_HEIGHT_PX = MARGIN.top + MARGIN.bottom;
const PX_PER_Y_TICK = 46;
const PX_PER_X_TICK = 76;

export function frameOf(input: FrameInput): Frame {
  const { width, height, unit, x, y, xScale, yScale } = input;
  const top = MARGIN.top + (input.headroom ?? 0);
  const bottom = Math.max(top + 1, height - MARGIN.bottom);
  const yTicks =
    input.yTicks ?? ticksOf(yScale, y, Math.min(5, Math.max(3, Math.round((bottom - top) / PX_PER_Y_TICK))));
  const left = Math.max(GUTTER, Math.ceil(Math.max(0, ...yTicks.map(({ label }) => textWidth(label)))) + 10);
  const right = Math.max(left + 1, width - MARGIN.right - input.labelWidth);
  const across = line(xScale, x, left, right);
  const upward = line(yScale, y, bottom, top);
  const xTicks = ticksOfX(unit, xScale, x, Math.max(2, Math.min(8, Math.floor((right - left) / PX_PER_X_TICK))));
  return {
    ...input,
    left,
    right,
    top,
    bottom,
    xTicks: spaced(xTicks.map((tick) => ({ ...tick, at: across.to(tick.value) }))),
    yTicks: yTicks.map((tick) => ({ ...tick, at: upward.to(tick.value) })),
    toX: across.to,
    fromX: across.from,
    toY: upward.to,
    fromY: upward.from,
  };
}

function line(
  scale: Scale,
  { from, to }: Range,
  start: number,
  end: number,
): { to(value: number): number; from(pixel: number): number } {
  const origin = project(scale, from);
  const perPixel = (project(scale, to) - origin) / (end - start);
  return {
    to: (value) => start + (project(scale, value) - origin) / perPixel,
    from: (pixel) => invert(scale, origin + (pixel - start) * perPixel),
  };
}

const LABEL_GAP_PX = 8;

/** Labels that would touch are left out. */
function spaced(ticks: readonly PlacedTick[]): PlacedTick[] {
  const labels = ticks.map(({ at, label }) => ({ x: at, y: 0, width: textWidth(label), height: 1 }));
  return placeLabels(labels, { gapPx: LABEL_GAP_PX }).map(({ index }) => ticks[index]!);
}
