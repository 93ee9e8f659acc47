/** The settings that dashboards share, read from the address and written to it. Defaults leave no trace there. */

import { ADAPTIVE, readSmoothing, writeSmoothing } from "../base/smoothing";
import type { Pin, SharedSettings } from "../public/core";
import type { Url } from "./url.svelte";

interface Form<T> {
  read(text: string): T | undefined;
  write(value: T): string;
}

const number = (from: number, to: number): Form<number> => ({
  read: (text) => {
    const value = Number(text);
    return text.trim() === "" || Number.isNaN(value) ? undefined : Math.min(Math.max(value, from), to);
  },
  write: (value) => String(+value.toFixed(4)),
});
const text: Form<string> = { read: (value) => value, write: (value) => value };
const flag: Form<boolean> = {
  read: (value) => (value === "true" ? true : value === "false" ? false : undefined),
  write: String,
};
const choice = <T extends string>(...values: readonly T[]): Form<T> => ({
  read: (value) => values.find((known) => known === value.toLowerCase()),
  write: (value) => value,
});
const pins: Form<readonly Pin[]> = { read: readPins, write: (value) => JSON.stringify(value) };

/** The name in the address, the default, and the form of every setting. */
const FORMS: {
  readonly [Name in keyof SharedSettings]: readonly [string, SharedSettings[Name], Form<SharedSettings[Name]>];
} = {
  smoothing: ["smoothing", ADAPTIVE, { read: readSmoothing, write: writeSmoothing }],
  axis: ["axis", "step", choice("step", "relative", "wall")],
  tagFilter: ["tagFilter", "", text],
  tooltipSort: ["tooltipSort", "nearest", choice("nearest", "ascending", "descending", "name")],
  columns: ["columns", 0, number(0, 8)],
  clipOutliers: ["clipOutliers", true, flag],
  attempts: ["attempts", "marked", choice("latest", "all", "marked")],
  xScale: ["xScale", "linear", choice("linear", "log", "symlog")],
  yScale: ["yScale", "linear", choice("linear", "log", "symlog")],
  linkedZoom: ["linkedZoom", false, flag],
  tooltipFollows: ["tooltipFollows", false, flag],
  groupBy: ["groupBy", "", text],
  groupBand: ["groupBand", "deviation", choice("deviation", "range", "confidence")],
  foldersAsRuns: ["foldersAsRuns", false, flag],
  pins: ["pinnedCards", [], pins],
};

export function readPins(value: string): readonly Pin[] | undefined {
  try {
    const list = JSON.parse(value) as unknown;
    return Array.isArray(list)
      ? (list as Pin[]).filter((pin) => typeof pin?.tag === "string" && typeof pin.plugin === "string")
      : undefined;
  } catch {
    return undefined;
  }
}

export function readSetting<Name extends keyof SharedSettings>(
  name: Name,
  value: string | undefined,
): SharedSettings[Name] {
  const [, standard, form] = FORMS[name];
  return value === undefined ? standard : (form.read(value) ?? standard);
}

/** Undefined when it is what it would be anyway. */
export function writeSetting<Name extends keyof SharedSettings>(
  name: Name,
  value: SharedSettings[Name],
): string | undefined {
  const [, standard, form] = FORMS[name];
  const written = form.write(value);
  return written === form.write(standard) ? undefined : written;
}

export const settingNames = Object.keys(FORMS) as readonly (keyof SharedSettings)[];

export function createSettings(url: Url): SharedSettings {
  const settings = {} as SharedSettings;
  for (const name of settingNames) define(settings, name, url);
  return settings;
}

function define<Name extends keyof SharedSettings>(settings: SharedSettings, name: Name, url: Url): void {
  const key = FORMS[name][0];
  const written = $derived(url.get(key));
  // Derived, so that a list stays the same list while its text does.
  const value = $derived(readSetting(name, written));
  Object.defineProperty(settings, name, {
    enumerable: true,
    get: () => value,
    set: (next: SharedSettings[Name]) => url.set(key, writeSetting(name, next)),
  });
}
