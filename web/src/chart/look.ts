/** The design tokens as a canvas needs them: read once per theme, since reading styles costs a layout. */

import type { Look } from "./draw";

let cachedFor = "";
let cache = new Map<string, string>();

export function token(name: string, theme: string): string {
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

export function lookOf(theme: string): Look {
  const read = (name: string): string => token(name, theme);
  return {
    text: read("--text-3"), grid: read("--grid"), baseline: read("--line-2"), surface: read("--surface"),
    font: `${read("--fs-axis")} ${read("--font")}`,
    lineWidth: parseFloat(read("--ln")), rawAlpha: parseFloat(read("--a-raw")), envelopeAlpha: parseFloat(read("--a-env")),
  };
}
