/** What the colours of a picture mean: the values of a category, or the scale of a number. */

import { format } from "$public/core";
import { categoryStyle, hexOf, MAX_CATEGORIES, rangeOf, type NumberRange, type Palette } from "../colours";
import type { MetadataColumn } from "../../wire";
import { shortened, type MeasureText } from "./labels";
import type { Shape } from "./shapes";

export interface LegendEntry {
  readonly name: string;
  /** Of `MetadataColumn.styles`. */
  readonly style: number;
}

export interface Legend {
  readonly title: string;
  /** In the order of the styles; empty for numbers. */
  readonly entries: readonly LegendEntry[];
  /** Further values, which are grey. */
  readonly rest: number;
  /** Of a number. */
  readonly range: NumberRange | null;
}

/** Null if all points have one colour. */
export function legendOf(column: MetadataColumn | null, title: string): Legend | null {
  if (column?.type === "number") {
    const range = rangeOf(column.values);
    return range && { title, entries: [], rest: 0, range };
  }
  if (column?.type !== "category") return null;
  const all = column.names.map((name, code) => ({ name, style: column.styles?.[code] ?? code }));
  const entries = all.filter(({ style }) => style < MAX_CATEGORIES).sort((a, b) => a.style - b.style);
  return { title, entries, rest: all.length - entries.length, range: null };
}

const LINE_PX = 16;
const MARGIN_PX = 16;
const [RAMP_PX, RAMP_HEIGHT_PX, RAMP_STEPS] = [120, 8, 24];
const MARK_PX = 4;

/** Beside the picture of a file: the shapes, and how much wider the file is. */
export function legendShapes(
  { title, entries, rest, range }: Legend,
  { left, palette, measure }: { readonly left: number; readonly palette: Palette; readonly measure: MeasureText },
): { readonly shapes: readonly Shape[]; readonly widthPx: number } {
  const at = left + MARGIN_PX;
  const lines: { readonly text: string; readonly indent: number }[] = [];
  const marks: Shape[] = [];
  const middle = (): number => MARGIN_PX + LINE_PX * (lines.length + 0.5);
  if (title !== "") lines.push({ text: shortened(title), indent: 0 });
  if (range) {
    const colours = Array.from({ length: RAMP_STEPS }, (_, step) => hexOf(palette.colours[Math.round((step * 254) / (RAMP_STEPS - 1))]!)); // prettier-ignore
    marks.push({ type: "ramp", left: at, top: middle() - RAMP_HEIGHT_PX / 2, width: RAMP_PX, height: RAMP_HEIGHT_PX, colours }); // prettier-ignore
    lines.push({ text: "", indent: RAMP_PX });
    lines.push({ text: `${format.value(range.low)} to ${format.value(range.high)}`, indent: 0 });
  }
  for (const { name, style } of entries) {
    const isRing = categoryStyle(style).shape === "ring";
    marks.push({ type: "mark", at: { x: at + MARK_PX, y: middle() }, radius: MARK_PX, colour: hexOf(palette.colours[style]!), isRing }); // prettier-ignore
    lines.push({ text: shortened(name), indent: 3.5 * MARK_PX });
  }
  if (rest > 0) lines.push({ text: `${format.count(rest)} more, grey`, indent: 0 });
  const texts = lines.map(({ text, indent }, line): Shape => ({
    type: "text",
    left: at + indent,
    middle: MARGIN_PX + LINE_PX * (line + 0.5),
    text,
    sizePx: 11,
    isBold: line === 0 && title !== "",
    colour: line === 0 ? "--text" : "--text-2",
  }));
  const widest = Math.max(...lines.map(({ text, indent }) => indent + measure(text, "class")));
  return { shapes: [...marks, ...texts], widthPx: Math.ceil(widest) + 2 * MARGIN_PX };
}
