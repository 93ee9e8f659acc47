/** The visible window of time: zooming, panning and fitting, inside the limits of the capture. */

import type { Span } from "../../load";

/** A window is never shorter. */
export const MIN_SPAN_NS = 20;
const FIT_PADDING = 0.08;

export const lengthOf = ({ start, end }: Span): number => end - start;

/** The span moved, and shortened if need be, so that it lies inside `limits`. */
export function clampSpan(span: Span, limits: Span): Span {
  const length = Math.min(Math.max(lengthOf(span), MIN_SPAN_NS), Math.max(lengthOf(limits), MIN_SPAN_NS));
  const start = Math.min(Math.max(span.start, limits.start), Math.max(limits.end - length, limits.start));
  return { start, end: start + length };
}

/** Shows `factor` times as much time, and `at` keeps its pixel. */
export function zoomSpan(span: Span, factor: number, at: number, limits: Span): Span {
  const length = Math.min(Math.max(lengthOf(span) * factor, MIN_SPAN_NS), Math.max(lengthOf(limits), MIN_SPAN_NS));
  const share = lengthOf(span) > 0 ? (at - span.start) / lengthOf(span) : 0.5;
  const start = at - share * length;
  return clampSpan({ start, end: start + length }, limits);
}

export function panSpan(span: Span, deltaNs: number, limits: Span): Span {
  return clampSpan({ start: span.start + deltaNs, end: span.end + deltaNs }, limits);
}

/** `inner` with some room on both sides. */
export function fitSpan(inner: Span, limits: Span, padding = FIT_PADDING): Span {
  const room = Math.max(lengthOf(inner), MIN_SPAN_NS / 2) * padding;
  return clampSpan({ start: inner.start - room, end: inner.end + room }, limits);
}

/** The span, moved as little as needed so that `inner` is inside; fitted if it is longer. */
export function revealSpan(span: Span, inner: Span, limits: Span): Span {
  if (lengthOf(inner) > lengthOf(span)) return fitSpan(inner, limits);
  const room = Math.min(lengthOf(span) * FIT_PADDING, (lengthOf(span) - lengthOf(inner)) / 2);
  if (inner.start < span.start) return panSpan(span, inner.start - room - span.start, limits);
  if (inner.end > span.end) return panSpan(span, inner.end + room - span.end, limits);
  return span;
}

/** Two fingers: what was under each at the start stays under it. `from` and `to` are their pixels. */
export function pinchSpan(
  span: Span,
  widthPx: number,
  from: readonly [number, number],
  to: readonly [number, number],
  limits: Span,
): Span {
  const nsPerPx = lengthOf(span) / widthPx;
  const [before, after] = [Math.max(Math.abs(from[1] - from[0]), 8), Math.max(Math.abs(to[1] - to[0]), 8)];
  const middle = span.start + ((from[0] + from[1]) / 2) * nsPerPx;
  const zoomed = zoomSpan(span, before / after, middle, limits);
  const movedPx = (to[0] + to[1] - from[0] - from[1]) / 2;
  return panSpan(zoomed, (-movedPx * lengthOf(zoomed)) / widthPx, limits);
}
