/** The ruler: round times in a unit that fits. */

import { format } from "$public/core";
import type { Span } from "../../load";
import { timeUnit, type TimeUnit } from "../../numbers";
import { lengthOf } from "./span";

/** Above this many steps from zero, ticks count from a round time nearby: digits that never change are no help. */
const MAX_STEPS_FROM_ZERO = 20_000;
const BASE_STEPS = 1000;

export interface Tick {
  readonly time: number;
  readonly text: string;
}

export interface Ruler {
  readonly unit: TimeUnit;
  /** What the texts count from. */
  readonly base: number;
  readonly ticks: readonly Tick[];
}

/** `zero` is the time that the ruler counts from: the start of a step or of the capture. */
export function rulerOf(span: Span, widthPx: number, zero: number, minGapPx = 80): Ruler {
  const step = roundStep((lengthOf(span) * minGapPx) / Math.max(widthPx, 1));
  const unit = timeUnit(step);
  const far = Math.max(Math.abs(span.start - zero), Math.abs(span.end - zero)) / step > MAX_STEPS_FROM_ZERO;
  const base = far ? zero + Math.floor((span.start - zero) / (step * BASE_STEPS)) * step * BASE_STEPS : zero;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((span.start - base) / step); base + at * step <= span.end; at += 1)
    ticks.push({ time: base + at * step, text: format.count((at * step) / unit.ns) });
  return { unit, base, ticks };
}

/** 1, 2 or 5 times a power of ten, whole nanoseconds. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}
