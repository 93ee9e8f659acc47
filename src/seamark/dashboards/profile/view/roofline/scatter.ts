/** The roofline: operations by intensity and rate, below what the device can do. */

import { chartAxes, type Frame, type Range } from "$public/charts";
import { format } from "$public/core";
import type { Roofline, RooflineRow } from "../wire";

export const LOG = { kind: "log", constant: 1 } as const;

/** Operations that have a place on logarithmic axes. */
export const plotted = ({ rows }: Roofline): readonly RooflineRow[] =>
  rows.filter(({ intensity, flop_rate }) => intensity > 0 && flop_rate > 0);

/** The rate that the device allows at an intensity. */
export const roofAt = (intensity: number, peakRate: number, bandwidth: number): number =>
  Math.min(peakRate, intensity * bandwidth);

/** The intensity at which memory no longer limits the rate. */
export const ridgeOf = ({ peak_flop_rate, peak_bandwidth }: Roofline): number | null =>
  peak_flop_rate && peak_bandwidth ? peak_flop_rate / peak_bandwidth : null;

export function rangesOf(roofline: Roofline): { readonly x: Range; readonly y: Range } {
  const rows = plotted(roofline);
  const ridge = ridgeOf(roofline);
  const intensities = [...rows.map(({ intensity }) => intensity), ...(ridge === null ? [] : [ridge])];
  const rates = [
    ...rows.map(({ flop_rate }) => flop_rate),
    ...(roofline.peak_flop_rate ? [roofline.peak_flop_rate] : []),
  ];
  return { x: decades(intensities), y: decades(rates) };
}

function decades(values: readonly number[]): Range {
  if (values.length === 0) return { from: 1, to: 10 };
  return {
    from: 10 ** Math.floor(Math.log10(Math.min(...values)) - 0.1),
    to: 10 ** Math.ceil(Math.log10(Math.max(...values)) + 0.1),
  };
}

export function scatterFrame(size: { readonly width: number; readonly height: number }, roofline: Roofline): Frame {
  const { x, y } = rangesOf(roofline);
  const yTicks = chartAxes.ticks(LOG, y, 5).map(({ value }) => ({ value, label: rateText(value) }));
  return chartAxes.frame({ ...size, unit: "metric", x, y, xScale: LOG, yScale: LOG, labelWidth: 0, yTicks });
}

/** "45.2 TFLOP/s" */
export const rateText = (rate: number): string =>
  `${format.short(rate)}FLOP/s`.replace(/^([\d.]+)(?=FLOP)/, "$1 ").replace(/([kMGTP])FLOP/, " $1FLOP");

/** How much of what the device allows an operation reaches; null: not known. */
export function attained(row: RooflineRow, { peak_flop_rate, peak_bandwidth }: Roofline): number | null {
  if (!peak_flop_rate || !peak_bandwidth || row.intensity <= 0) return null;
  return row.flop_rate / roofAt(row.intensity, peak_flop_rate, peak_bandwidth);
}

const MIN_RADIUS = 3;
const MAX_RADIUS = 14;

/** The area of a point is its share of the time. */
export function radiusOf({ self_ns }: RooflineRow, longest: number): number {
  return Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(self_ns / (longest || 1)));
}

/** The point below a pixel, the smallest first; null: none. */
export function rowAt(roofline: Roofline, frame: Frame, x: number, y: number): RooflineRow | null {
  const rows = plotted(roofline);
  const longest = Math.max(0, ...rows.map(({ self_ns }) => self_ns));
  const near = rows.filter((row) => {
    const distance = Math.hypot(frame.toX(row.intensity) - x, frame.toY(row.flop_rate) - y);
    return distance <= radiusOf(row, longest) + 2;
  });
  return near.sort((a, b) => a.self_ns - b.self_ns)[0] ?? null;
}
