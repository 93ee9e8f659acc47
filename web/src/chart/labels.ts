/** Names at the ends of lines, or in a legend below them. */

import type { NumberColumn } from "../data/columns";
import type { Frame } from "./frame";
import { textWidth } from "./text_width";
import type { Scope } from "./spec";

const MAX_LABELS = 8;
/** Of the width of a chart. */
const WIDEST_SHARE = 0.25;
const WIDEST_PX = 240;
/** Narrower, a name has no room for what tells it from others. */
const NARROWEST_PX = 60;
const LINE_PX = 12;
const TICK_PX = 18;

export const LEGEND_TICK_PX = 22;
const LEGEND_GAP_PX = 14;

export interface LegendEntry {
  readonly series: number;
  readonly name: string;
  readonly x: number;
  readonly row: number;
}

export interface EndLabel {
  readonly series: number;
  readonly name: string;
  readonly at: number;
}

/** The room that labels take of a chart; 0 where they do not fit. */
export function labelWidth(
  scope: Scope,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const { set } = scope;
  const shown = named(scope);
  const widest = Math.min(WIDEST_PX, width * WIDEST_SHARE);
  if (shown.length > MAX_LABELS || widest < NARROWEST_PX || shown.length * LINE_PX > height) return 0;
  return Math.min(widest, TICK_PX + Math.max(0, ...shown.map((index) => textWidth(set.series[index]!.name))));
}

/** From top to bottom where the lines end, moved apart where they would touch. */
export function endLabels(scope: Scope, frame: Frame): EndLabel[] {
  const { set } = scope;
  const shown = named(scope);
  if (frame.labelWidth === 0) return [];
  const ends = shown
    .map((series) => ({
      series,
      name: fitted(set.series[series]!.name, frame.labelWidth - TICK_PX),
      at: endOf(set.curve, set.offsets[series]!, set.offsets[series + 1]!, frame),
    }))
    .filter(({ at }) => Number.isFinite(at))
    .sort((a, b) => a.at - b.at);
  let below = frame.top - LINE_PX;
  const placed = ends.map((label) => ({ ...label, at: (below = Math.max(label.at, below + LINE_PX)) }));
  let above = frame.bottom + LINE_PX;
  return placed
    .reverse()
    .map((label) => ({ ...label, at: (above = Math.min(label.at, above - LINE_PX)) }))
    .reverse();
}

/** Every name fits at the end of its line, in full. */
export function fitsEnds(scope: Scope, size: { readonly width: number; readonly height: number }): boolean {
  const room = labelWidth(scope, size);
  return room > 0 && named(scope).every((index) => TICK_PX + textWidth(scope.set.series[index]!.name) <= room);
}

/** Names one after the other, in up to so many rows of a width; and how many are left out. */
export function legendOf(
  scope: Scope,
  { width, maxRows }: { readonly width: number; readonly maxRows: number },
): { readonly entries: readonly LegendEntry[]; readonly rows: number; readonly leftOut: number } {
  const all = named(scope);
  const entries: LegendEntry[] = [];
  let row = 0;
  let x = 0;
  for (const series of all) {
    const { name } = scope.set.series[series]!;
    const wide = LEGEND_TICK_PX + textWidth(name);
    if (x > 0 && x + wide > width) {
      row += 1;
      x = 0;
    }
    if (row === maxRows) break;
    entries.push({ series, name, x, row });
    x += wide + LEGEND_GAP_PX;
  }
  const leftOut = all.length - entries.length;
  return { entries, rows: Math.min(row + 1, maxRows) + (leftOut > 0 ? 1 : 0), leftOut };
}

/** What a restart replaced has the name of the line beside it. */
const named = ({ set, shown }: Scope): number[] => shown.filter((index) => !set.series[index]!.replaced);

function endOf(curve: NumberColumn, from: number, to: number, frame: Frame): number {
  let row = to - 1;
  while (row >= from && !Number.isFinite(curve[row]!)) row -= 1;
  return row < from ? NaN : Math.min(Math.max(frame.toY(curve[row]!), frame.top), frame.bottom);
}

/** The end of a long name tells more than its beginning: runs of a sweep begin alike. */
export function fitted(name: string, width: number): string {
  if (textWidth(name) <= width) return name;
  let short = name;
  while (short && textWidth(short) > width - 8) short = short.slice(1);
  return `…${short}`;
}
