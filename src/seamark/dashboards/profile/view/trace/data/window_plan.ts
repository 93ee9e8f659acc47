/** Which window is requested: wider than the screen and on a grid, so that panning draws from what is there. */

import type { Span } from "../../load";
import { lengthOf } from "../time/span";
import { lanesBetween, type TrackLayout } from "../tracks/layout";

export interface WindowRequest extends Span {
  /** In pixels of the request, which are near those of the screen. */
  readonly width: number;
  /** "0-12,40-41" */
  readonly rows: string;
}

const MAX_WIDTH_PX = 16_384;

/**
 * Nanoseconds for each pixel are a power of two and the ends lie on a grid of about the screen's width, with a margin of
 * one cell: the request changes only when one of its ends comes near.
 */
export function planSpan(span: Span, widthPx: number, limits: Span): Span & { readonly width: number } {
  const nsPerPx = 2 ** Math.round(Math.log2(Math.max(lengthOf(span), 1) / Math.max(widthPx, 1)));
  const cell = nsPerPx * 2 ** Math.floor(Math.log2(Math.max(widthPx, 256)));
  const start = Math.max((Math.floor(span.start / cell) - 1) * cell, Math.floor(limits.start));
  const end = Math.min((Math.ceil(span.end / cell) + 1) * cell, Math.ceil(limits.end));
  const width = Math.min(Math.max(Math.ceil((end - start) / nsPerPx), 1), MAX_WIDTH_PX);
  return { start, end: Math.max(end, start + 1), width };
}

/** The rows of pinned lanes, and of those on the screen and half a screen above and below. */
export function planRows(layout: TrackLayout, scrollTop: number, heightPx: number): string {
  const height = Math.max(heightPx, 100);
  const top = (Math.floor(scrollTop / height) - 0.5) * height;
  const bottom = (Math.ceil((scrollTop + height) / height) + 0.5) * height;
  const [first, end] = lanesBetween(layout.body, top, bottom);
  const lanes = [...layout.pinned.lanes, ...layout.body.lanes.slice(first, end)];
  return rangesOf(lanes.flatMap(({ rows }) => rows));
}

/** "0-12,40-41" of rows in any order. */
export function rangesOf(rows: readonly number[]): string {
  const sorted = [...new Set(rows)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const row of sorted) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}
