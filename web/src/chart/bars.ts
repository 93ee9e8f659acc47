/** Series of one point each as horizontal bars: a row for each, with its name and its value. */

import { formatValue } from "../base/format";
import { frameOf, MARGINS_HEIGHT_PX, type Frame } from "./frame";
import { fitted } from "./labels";
import { valueAt } from "./pick";
import { drawable, LINEAR, type Range, type Scale } from "./scale";
import { EMPTY_SET } from "./series";
import { scaleFor, type ChartSpec } from "./spec";
import { textWidth } from "./text_width";

export interface Bar {
  readonly series: number;
  /** Of the set. */
  readonly row: number;
  readonly value: number;
  readonly valueText: string;
  /** In place of a bar, for a value that has no place on the axis. */
  readonly note: string;
  /** The middle of its row, in pixels. */
  readonly y: number;
  readonly left: number;
  readonly width: number;
}

export interface BarPlan {
  /** The values are along x; the names are the ticks of y. */
  readonly frame: Frame;
  readonly bars: readonly Bar[];
  readonly rowHeight: number;
  readonly barHeight: number;
  /** How many series are left out. */
  readonly leftOut: number;
}

const ROW_PX = { min: 17, max: 26 };
const BAR_SHARE = 0.64;
/** Of the width. */
const MAX_NAME_SHARE = 0.4;
const VALUE_GAP_PX = 8;

/** The height of a chart of so many bars. */
export const heightOfBars = (count: number): number => MARGINS_HEIGHT_PX + count * ROW_PX.min;

/** As many bars as fit into a height. */
export const barsWithin = (height: number): number =>
  Math.max(1, Math.floor((height - MARGINS_HEIGHT_PX) / ROW_PX.min));

/** Null where there is nothing to draw. Up to so many bars may need more than the height. */
export function planBars(
  { set: series, bars: order = [], yScale = "linear", limits }: ChartSpec,
  { width, height, maxBars }: { readonly width: number; readonly height: number; readonly maxBars: number },
): BarPlan | null {
  const set = series ?? EMPTY_SET;
  const drawn = order.slice(0, maxBars);
  if (drawn.length === 0) return null;
  const rowHeight = Math.min(Math.max((height - MARGINS_HEIGHT_PX) / drawn.length, ROW_PX.min), ROW_PX.max);
  const rows = drawn.map((index) => set.offsets[index]!);
  const values = rows.map((row) => valueAt(set, row).value);
  const valueTexts = values.map(formatValue);
  const scale = scaleFor(yScale, { set, shown: drawn }, "y");
  const range = limits?.y ? drawable(scale, limits.y) : rangeOf(values, scale);
  const frame = frameOf({
    width,
    height: MARGINS_HEIGHT_PX + drawn.length * rowHeight,
    unit: "metric",
    x: range,
    y: { from: drawn.length - 0.5, to: -0.5 },
    xScale: scale,
    yScale: LINEAR,
    yTicks: drawn.map((index, value) => ({ value, label: fitted(set.series[index]!.name, width * MAX_NAME_SHARE) })),
    labelWidth: Math.max(...valueTexts.map(textWidth)) + VALUE_GAP_PX,
  });
  const at = (value: number): number => frame.toX(Math.min(Math.max(value, range.from), range.to));
  const start = scale.kind === "log" ? frame.left : at(0);
  const bars = drawn.map((index, place): Bar => {
    const value = values[place]!;
    const end = isOn(scale, value) ? at(value) : start;
    return {
      series: index,
      row: rows[place]!,
      value,
      valueText: valueTexts[place]!,
      note: Number.isFinite(value) ? (isOn(scale, value) ? "" : "not on a log axis") : "▲",
      y: frame.toY(place),
      left: Math.min(start, end),
      // What is zero, or next to it, is a line.
      width: isOn(scale, value) ? Math.max(1, Math.abs(end - start)) : 0,
    };
  });
  return { frame, bars, rowHeight, barHeight: Math.round(rowHeight * BAR_SHARE), leftOut: order.length - drawn.length };
}

const isOn = ({ kind }: Scale, value: number): boolean => Number.isFinite(value) && (kind !== "log" || value > 0);

/** Bars begin at zero; on a log axis, which has none, at the power of ten below the smallest value. */
function rangeOf(values: readonly number[], scale: Scale): Range {
  const drawn = values.filter((value) => isOn(scale, value));
  const [low, high] = [Math.min(...drawn), Math.max(...drawn)];
  if (scale.kind === "log" && drawn.length > 0)
    return drawable(scale, { from: 10 ** (Math.ceil(Math.log10(low)) - 1), to: high });
  if (scale.kind === "log") return drawable(scale, { from: 0, to: 0 });
  if (!drawn.some((value) => value !== 0)) return { from: 0, to: 1 };
  return { from: Math.min(0, low), to: Math.max(0, high) };
}

/** The bar at a height of the chart. */
export const barAt = ({ frame, rowHeight, bars }: BarPlan, y: number): Bar | undefined =>
  bars[Math.floor((y - frame.top) / rowHeight)];
