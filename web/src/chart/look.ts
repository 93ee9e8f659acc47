/** The design tokens as drawing needs them: read once for each theme, since reading styles costs a layout. */

import { splitToken } from "../base/colours";
import type { PaintLook } from "./paint/scene";
import { pixelOf } from "./ramp";

const caches = new Map<string, Map<string, string>>();

/** The value of a token such as "--run-1" or "--run-1 30%"; anything else is taken to be a colour already. */
export function token(text: string, theme: string): string {
  const { name, share } = splitToken(text);
  return share === 0
    ? read(name, theme)
    : mixed(rgbOf(read(name, theme)), rgbOf(read("--surface", theme)), share / 100);
}

function mixed(colour: number, surface: number, share: number): string {
  const channel = (shift: number): number =>
    Math.round(((colour >> shift) & 255) * (1 - share) + ((surface >> shift) & 255) * share);
  return `#${((channel(16) << 16) | (channel(8) << 8) | channel(0)).toString(16).padStart(6, "0")}`;
}

function read(name: string, theme: string): string {
  if (!name.startsWith("--")) return name;
  let cache = caches.get(theme);
  if (!cache) caches.set(theme, (cache = new Map()));
  let value = cache.get(name);
  if (value === undefined) cache.set(name, (value = readToken(name, theme)));
  return value;
}

function readToken(name: string, theme: string): string {
  const root = document.documentElement;
  const read = (element: Element): string => getComputedStyle(element).getPropertyValue(name).trim();
  if (!theme || root.dataset.theme === theme) return read(root);
  // A figure on white paper, while the page is dark.
  const probe = document.createElement("i");
  probe.dataset.theme = theme;
  root.append(probe);
  const value = read(probe);
  probe.remove();
  return value;
}

const RAMP_TOKENS = ["--q1", "--q2", "--q3", "--q4", "--q5", "--q6", "--q7"];
export const GREY = 0x808080;

/** #rgb or #rrggbb as a number; grey for what is neither. */
export function rgbOf(colour: string): number {
  const long = colour.replace(/^#(\w)(\w)(\w)$/, "#$1$1$2$2$3$3");
  return /^#[0-9a-f]{6}/i.test(long) ? parseInt(long.slice(1, 7), 16) : GREY;
}

/** A token as a pixel of ImageData, with the alpha it has ("#14181f14"). */
export function tokenPixel(name: string, theme: string): number {
  const colour = token(name, theme);
  const alpha = /^#[0-9a-f]{8}$/i.test(colour) ? parseInt(colour.slice(7), 16) : 255;
  return pixelOf(rgbOf(colour), alpha);
}

/** The stops of the page's colour ramp, from few to many or from poor to good, each 0xRRGGBB. */
export const rampStops = (theme: string): number[] => RAMP_TOKENS.map((name) => rgbOf(token(name, theme)));

export function paintLook(theme: string): PaintLook {
  const size = (name: string): number => parseFloat(token(name, theme));
  return {
    lineWidth: size("--ln"),
    thinWidth: size("--ln-thin"),
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
