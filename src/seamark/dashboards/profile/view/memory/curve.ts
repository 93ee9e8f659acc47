/** Curves of memory: what is allocated at a time, and the axes they are drawn on. */

import { format } from "$public/core";
import { chartAxes, type Frame, type Range } from "$public/charts";
import { timeText, timeUnit } from "../numbers";
import type { Memory, MemoryCurve, Step } from "../wire";

export const curveTitle = ({ name, allocator }: MemoryCurve): string => (allocator ? `${name}, ${allocator}` : name);

export interface Reading {
  readonly time: number;
  readonly allocated: number;
  readonly reserved: number | null;
}

/** The last event at or before a time; null before the first one. */
export function readingAt({ times_ns, allocated, reserved }: MemoryCurve, time: number): Reading | null {
  let [low, high] = [0, times_ns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times_ns[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index < 0
    ? null
    : { time: times_ns[index]!, allocated: allocated[index]!, reserved: reserved?.[index] ?? null };
}

export const stepAt = (steps: readonly Step[], time: number): Step | null =>
  steps.find(({ start_ns, duration_ns }) => time >= start_ns && time < start_ns + duration_ns) ?? null;

/** "45.2 ms, ProfilerStep#3: 512 MB allocated, 600 MB reserved" */
export function readingText(reading: Reading, step: Step | null, start: number): string {
  const at = timeText(reading.time - start) + (step ? `, ${step.name}` : "");
  const reserved = reading.reserved === null ? "" : `, ${format.bytes(reading.reserved)} reserved`;
  return `${at}: ${format.bytes(reading.allocated)} allocated${reserved}`;
}

/** The limit is inside the plot only if the curve comes near it: else the curve would be flat. */
export const showsLimit = ({ peak_bytes, limit_bytes }: MemoryCurve): boolean =>
  limit_bytes !== null && peak_bytes > 0.4 * limit_bytes;

export function bytesRange(curve: MemoryCurve): Range {
  const highest = Math.max(curve.peak_bytes, ...(curve.reserved ?? []));
  const top = showsLimit(curve) ? Math.max(highest, curve.limit_bytes!) : highest;
  return { from: 0, to: top * 1.06 || 1 };
}

const BYTE_UNITS = [
  { name: "TB", size: 1e12 },
  { name: "GB", size: 1e9 },
  { name: "MB", size: 1e6 },
  { name: "kB", size: 1e3 },
  { name: "B", size: 1 },
] as const;

export function bytesTicks({ from, to }: Range): { readonly value: number; readonly label: string }[] {
  const unit = BYTE_UNITS.find(({ size }) => to >= size) ?? BYTE_UNITS[4];
  return chartAxes
    .ticks(chartAxes.LINEAR, { from: from / unit.size, to: to / unit.size }, 4)
    .map(({ value, label }) => ({ value: value * unit.size, label: value === 0 ? "0" : `${label} ${unit.name}` }));
}

/** A frame over the trace whose times are written since its start. */
export function memoryFrame(
  size: { readonly width: number; readonly height: number },
  x: Range,
  y: Range,
  start: number,
): Frame {
  const moved = { from: x.from - start, to: x.to - start };
  const unit = timeUnit(Math.max(Math.abs(moved.from), Math.abs(moved.to)));
  const { LINEAR } = chartAxes;
  const frame = chartAxes.frame({
    ...size,
    unit: "metric",
    x,
    y,
    xScale: LINEAR,
    yScale: LINEAR,
    labelWidth: 0,
    yTicks: bytesTicks(y),
    headroom: 12,
  });
  const ticks = chartAxes.ticks(LINEAR, { from: moved.from / unit.ns, to: moved.to / unit.ns }, 6);
  const xTicks = ticks.map(({ value, label }, index) => {
    const time = value * unit.ns + start;
    return { value: time, label: index === 0 ? `${label} ${unit.name}` : label, at: frame.toX(time) };
  });
  return { ...frame, xTicks };
}

/** Peak and share of the limit, as the tiles have them. */
export function peakText({ peak_bytes, peak_ns, limit_bytes }: MemoryCurve, start: number): string {
  const share =
    limit_bytes === null ? "" : ` · ${((100 * peak_bytes) / limit_bytes).toFixed(0)}% of ${format.bytes(limit_bytes)}`;
  return `${format.bytes(peak_bytes)} at ${timeText(peak_ns - start)}${share}`;
}

/** The curve that the address names, else the one with the highest peak, a device before the host. */
export function chooseCurve({ curves }: Memory, name: string | undefined): MemoryCurve | null {
  const named = curves.find((curve) => curveTitle(curve) === name);
  const byPeak = [...curves].sort(
    (a, b) => Number(a.name === "CPU") - Number(b.name === "CPU") || b.peak_bytes - a.peak_bytes,
  );
  return named ?? byPeak[0] ?? null;
}
