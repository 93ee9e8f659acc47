/** A window of Trace around a time, as parameters of the address. */

import type { Span } from "./load";

/** The part of the whole that is shown around a time. */
const SHARE = 0.01;
const LEAST_NS = 1000;

export function windowAround(time: number, whole: Span): { readonly start: string; readonly end: string } {
  const half = Math.max(LEAST_NS, (whole.end - whole.start) * SHARE) / 2;
  return { start: String(Math.round(time - half)), end: String(Math.round(time + half)) };
}
