/** What the colours mean, and how that is drawn under the graph of a saved picture. */

import type { GraphColours } from "./colours";
import type { Pen } from "./pen";
import { textWidth } from "./text";

export interface Legend {
  /** What boxes are coloured by. */
  readonly title: string;
  /** Ends of the scale as text; null for names. */
  readonly low: string;
  readonly high: string;
  readonly isLog: boolean;
  /** Names with their colours, the most frequent first. */
  readonly names: readonly { readonly name: string; readonly token: string }[];
}

/** Seven steps of the page's ramp. */
export const RAMP_TOKENS: readonly string[] = Array.from({ length: 7 }, (_, step) => `--q${step + 1}`);
export const LEGEND_PX = 32;
/** A scale has room beside its title. */
export const MIN_LEGEND_WIDTH_PX = 320;
const SIZE_PX = 11;
const GAP_PX = 8;
const STEP_PX = 16;
const SWATCH_PX = 10;

/** In a row of LEGEND_PX that begins at a point. Names that have no room are counted. */
export function drawLegend(
  pen: Pen,
  { title, low, high, isLog, names }: Legend,
  colours: GraphColours,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const { text, text2 } = colours.named;
  const middle = y + LEGEND_PX / 2;
  let at = x;
  const write = (words: string, fill: string, weight = 400): void => {
    pen.text(at, middle, words, { size: SIZE_PX, weight, fill, align: "left" });
    at += textWidth(words, SIZE_PX, weight) + GAP_PX;
  };
  const swatch = (token: string, wide: number): void => {
    pen.rect(at, middle - SWATCH_PX / 2, wide, SWATCH_PX, 0, { fill: colours.fillOf(token, false).fill });
    at += wide;
  };
  write(title, text, 600);
  if (names.length === 0) {
    write(low, text2);
    for (const token of RAMP_TOKENS) swatch(token, STEP_PX);
    at += GAP_PX;
    return write(isLog ? `${high}, log` : high, text2);
  }
  for (const [index, { name, token }] of names.entries()) {
    const rest = `+${names.length - index}`;
    const needed = SWATCH_PX + 4 + textWidth(name, SIZE_PX, 400) + GAP_PX;
    if (at + needed + (index + 1 < names.length ? textWidth(rest, SIZE_PX, 400) : 0) > x + width)
      return write(rest, text2);
    swatch(token, SWATCH_PX);
    at += 4;
    write(name, text2);
  }
}
