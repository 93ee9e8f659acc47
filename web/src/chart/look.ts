/** The design tokens as drawing needs them: read once for each theme, since reading styles costs a layout. */

import type { PaintLook } from "./paint/scene";

let cachedFor = "";
let cache = new Map<string, string>();

/** The value of a token such as "--run-1"; anything else is taken to be a colour already. */
export function token(name: string, theme: string): string {
  if (!name.startsWith("--")) return name;
  if (theme !== cachedFor) {
    cachedFor = theme;
    cache = new Map();
  }
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    cache.set(name, value);
  }
  return value;
}

const RAMP_TOKENS = ["--q1", "--q2", "--q3", "--q4", "--q5", "--q6", "--q7"];
export const GREY = 0x808080;

/** #rgb or #rrggbb as a number; grey for what is neither. */
export function rgbOf(colour: string): number {
  const long = colour.replace(/^#(\w)(\w)(\w)$/, "#$1$1$2$2$3$3");
  return /^#[0-9a-f]{6}/i.test(long) ? parseInt(long.slice(1, 7), 16) : GREY;
}

/** The stops of the page's colour ramp, from few to many or from poor to good, each 0xRRGGBB. */
export const rampStops = (theme: string): number[] => RAMP_TOKENS.map((name) => rgbOf(token(name, theme)));

export function paintLook(theme: string): PaintLook {
  const size = (name: string): number => parseFloat(token(name, theme));
  return {
    lineWidth: size("--ln"),
    focusWidth: size("--ln-focus"),
    rawAlpha: size("--a-raw"),
    dimAlpha: size("--a-dim"),
    surface: rgbOf(token("--surface", theme)),
    ramp: rampStops(theme),
  };
}

export function fillAlpha(fill: "envelope" | "band", theme: string): number {
  return parseFloat(token(fill === "band" ? "--a-band" : "--a-env", theme));
}
