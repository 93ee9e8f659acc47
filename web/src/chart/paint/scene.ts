/** What a painter is told: columns, how they look, which part of the plane to show. Plain data that crosses to a worker. */

import type { NumberColumn } from "../../data/columns";
import type { Scale } from "../scale";

/** Rows of series i lie in [offsets[i], offsets[i + 1]) of every column but a shared x. */
export interface Columns {
  readonly offsets: Uint32Array;
  readonly x: NumberColumn;
  /** x is one column for all series, each from its start. */
  readonly sharedX: boolean;
  readonly sorted: boolean;
  readonly curve: NumberColumn;
  /** Absent when nothing is smoothed. */
  readonly raw: NumberColumn | null;
  readonly low: NumberColumn | null;
  readonly high: NumberColumn | null;
  readonly marks: Uint32Array;
}

export type Mode = "auto" | "lines" | "raster" | "density";

export const SHOWN = 1;
export const DASHED = 2;
export const LIVE = 4;
/** A restart replaced these points. */
export const REPLACED = 8;
export const REPLACED_ALPHA = 0.4;

export interface Style {
  readonly mode: Mode;
  /** 0xRRGGBB of each series. */
  readonly colours: Uint32Array;
  /** SHOWN, DASHED, LIVE, REPLACED of each series. */
  readonly flags: Uint8Array;
  /** Series drawn on top, thicker; all others are dimmed. */
  readonly highlight: readonly number[];
  /** Of the lines; 0: by their number. */
  readonly alpha: number;
  /** Series with their envelope, or the raw line behind a smoothed one. */
  readonly underlay: readonly number[];
  readonly markers: boolean;
  readonly fillAlpha: number;
  readonly look: PaintLook;
}

/** The design tokens that reach pixels. Widths in CSS pixels. */
export interface PaintLook {
  readonly lineWidth: number;
  /** From five lines on. */
  readonly thinWidth: number;
  readonly focusWidth: number;
  readonly rawAlpha: number;
  readonly dimAlpha: number;
  readonly surface: number;
  /** Few to many, for density. */
  readonly ramp: readonly number[];
}

export interface View {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly xScale: Scale;
  readonly yScale: Scale;
  /** The plot, in CSS pixels. */
  readonly w: number;
  readonly h: number;
  readonly dpr: number;
  /** CSS pixels of canvas around the plot, so that dots at its edge stay whole. */
  readonly pad: number;
}

/** A software canvas strokes this many lines in time; a GPU more, but nobody can tell more apart. */
const MAX_LINES = 30;
const MAX_ROWS = 60_000;
const MAX_RASTER = 1000;

export function modeFor(mode: Mode, shown: number, rows: number): Exclude<Mode, "auto"> {
  if (mode !== "auto") return mode;
  if (shown <= MAX_LINES && rows <= MAX_ROWS) return "lines";
  return shown <= MAX_RASTER ? "raster" : "density";
}

/** Raw lines and envelopes can be drawn: of some of a few lines, or of the highlighted ones. */
export function drawsUnderlay({ highlight }: Style, mode: Mode): boolean {
  return mode === "lines" || highlight.length > 0;
}

const MIN_THIN_LINES = 5;

/** In CSS pixels. */
export const lineWidthFor = ({ look }: Style, shown: number): number =>
  shown < MIN_THIN_LINES ? look.lineWidth : look.thinWidth;

/** Opaque as long as lines can be followed; then fainter, so that many do not become one block. */
export function alphaFor({ alpha, highlight, look }: Style, shown: number): number {
  const crowd = Math.min(1, Math.sqrt(MAX_LINES / shown));
  // Dimmed lines add up where they lie on each other: the highlighted one has to stand out from the sum.
  return highlight.length > 0 ? look.dimAlpha * crowd : alpha > 0 ? alpha : Math.max(0.3, crowd);
}

export function shownOf(flags: Uint8Array): number[] {
  const shown: number[] = [];
  for (let index = 0; index < flags.length; index += 1) if (flags[index]! & SHOWN) shown.push(index);
  return shown;
}
