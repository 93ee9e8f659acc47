/** Names at the ends of lines, in place of a legend. */

import type { NumberColumn } from "../data/columns";
import type { Frame } from "./frame";
import { textWidth } from "./text_width";
import type { Scope } from "./spec";

const MAX_LABELS = 5;
const WIDEST_PX = 110;
const LINE_PX = 12;
const TICK_PX = 18;

export interface EndLabel {
  readonly series: number;
  readonly name: string;
  readonly at: number;
}

export function labelWidth(scope: Scope): number {
  const { set } = scope;
  const shown = named(scope);
  if (shown.length > MAX_LABELS) return 0;
  return Math.min(WIDEST_PX, TICK_PX + Math.max(0, ...shown.map((index) => textWidth(set.series[index]!.name))));
}

/** From top to bottom where the lines end, moved apart where they would touch. */
export function endLabels(scope: Scope, frame: Frame): EndLabel[] {
  const { set } = scope;
  const shown = named(scope);
  if (shown.length > MAX_LABELS) return [];
  const ends = shown
    .map((series) => ({
      series,
      name: fitted(set.series[series]!.name),
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

/** What a restart replaced has the name of the line beside it. */
const named = ({ set, shown }: Scope): number[] => shown.filter((index) => !set.series[index]!.replaced);

function endOf(curve: NumberColumn, from: number, to: number, frame: Frame): number {
  let row = to - 1;
  while (row >= from && !Number.isFinite(curve[row]!)) row -= 1;
  return row < from ? NaN : Math.min(Math.max(frame.toY(curve[row]!), frame.top), frame.bottom);
}

/** The end of a long name tells more than its beginning: runs of a sweep begin alike. */
function fitted(name: string): string {
  if (textWidth(name) <= WIDEST_PX - TICK_PX) return name;
  let short = name;
  while (textWidth(short) > WIDEST_PX - TICK_PX - 8) short = short.slice(1);
  return `…${short}`;
}
