/** The list behind `?`: every command that has a key, grouped by the word before its colon. */

import { FIXED_KEYS } from "../base/keys";
import type { Command } from "../public/core";

export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly { readonly title: string; readonly keys: string }[];
}

/** "N Shift+N" are two ways, one with two keys; "+" is one key. */
export const keysOf = (keys: string): string[][] => keys.split(" ").map((way) => way.split(/(?<=[^+])\+(?=.)/));

export function sheetOf(commands: readonly Command[]): KeyGroup[] {
  const groups = new Map<string, { title: string; keys: string }[]>();
  for (const { title, keys } of [...commands, ...FIXED_KEYS]) {
    if (keys === undefined) continue;
    const colon = title.indexOf(": ");
    const group = colon < 0 ? "Here" : title.slice(0, colon);
    const rest = colon < 0 ? title : title.slice(colon + 2);
    groups.set(group, [...(groups.get(group) ?? []), { title: rest[0]!.toUpperCase() + rest.slice(1), keys }]);
  }
  return [...groups].map(([title, keys]) => ({ title, keys }));
}
