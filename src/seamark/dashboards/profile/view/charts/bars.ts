/** Bars along a row of steps or bins: their places, and the axis. */

import { chartAxes } from "$public/charts";
import { inUnit, timeUnit } from "../numbers";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bar {
  /** The bars it stands for: more than one where there is no room for each. */
  readonly first: number;
  readonly end: number;
  /** Of the highest. */
  readonly highest: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface AxisTick {
  readonly value: number;
  readonly label: string;
}

export const MARGIN = { left: 52, right: 8, top: 8, bottom: 18 } as const;
const LEAST_PITCH_PX = 2;

export const plotWidth = ({ width }: Size): number => Math.max(1, width - MARGIN.left - MARGIN.right);
const plotHeight = ({ height }: Size): number => Math.max(1, height - MARGIN.top - MARGIN.bottom);

export const yOf = (value: number, top: number, size: Size): number =>
  MARGIN.top + plotHeight(size) * (1 - value / (top || 1));

export const perBar = (count: number, size: Size): number =>
  Math.max(1, Math.ceil((count * LEAST_PITCH_PX) / plotWidth(size)));

export function placeBars(values: readonly number[], size: Size, gapShare: number): readonly Bar[] {
  const many = perBar(values.length, size);
  const count = Math.ceil(values.length / many);
  const pitch = plotWidth(size) / Math.max(1, count);
  const top = Math.max(0, ...values);
  return Array.from({ length: count }, (_, index) => {
    const [first, end] = [index * many, Math.min(values.length, (index + 1) * many)];
    let highest = first;
    for (let at = first; at < end; at += 1) if (values[at]! > values[highest]!) highest = at;
    const x = MARGIN.left + (index + gapShare / 2) * pitch;
    return { first, end, highest, x, y: yOf(values[highest]!, top, size), width: Math.max(1, pitch * (1 - gapShare)) };
  });
}

/** The bar below a pixel; null outside of the plot. */
export function barAt(bars: readonly Bar[], x: number, size: Size): Bar | null {
  const index = Math.floor(((x - MARGIN.left) / plotWidth(size)) * bars.length);
  return x < MARGIN.left ? null : (bars[index] ?? null);
}

export function timeTicks(top: number): readonly AxisTick[] {
  const unit = timeUnit(top);
  return chartAxes
    .ticks(chartAxes.LINEAR, { from: 0, to: top / unit.ns }, 4)
    .map(({ value, label }) => ({ value: value * unit.ns, label: value === 0 ? "0" : `${label} ${unit.name}` }));
}

export const countTicks = (top: number): readonly AxisTick[] =>
  chartAxes.ticks(chartAxes.LINEAR, { from: 0, to: top }, 4).filter(({ value }) => Number.isInteger(value));

/** Which bars have room for their label. */
export function labelledBars(labels: readonly string[], bars: readonly Bar[], size: Size): readonly number[] {
  const widest = Math.max(1, ...labels.map(({ length }) => length)) * 6 + 10;
  const every = Math.max(1, Math.ceil((bars.length * widest) / plotWidth(size)));
  return bars.map((_, index) => index).filter((index) => index % every === 0);
}

/** "20–50 ms" */
export function binText(from: number, to: number): string {
  const unit = timeUnit(to);
  return `${number(from, unit)}–${number(to, unit)} ${unit.name}`;
}

const number = (ns: number, unit: ReturnType<typeof timeUnit>): string => String(Number(inUnit(ns, unit)));
