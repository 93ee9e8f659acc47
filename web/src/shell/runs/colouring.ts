/** Who gets which colour: every run its own, or one for each folder, or one for each match of an expression. */

import { PALETTE_SIZE, paletteStyle, type RunStyle } from "../../base/colours";
import { compilePattern, type Found } from "../../base/patterns.svelte";
import { folderOf } from "./names";

export interface Colouring {
  /** null: no group, so no colour of its own. undefined: every run is its own group. */
  readonly groupOf: (name: string) => string | null | undefined;
  readonly error: string;
}

const EACH: Colouring = { groupOf: () => undefined, error: "" };

/** "run", "folder" or "regex:…", as in TensorBoard's `?runColorGroup=`. What the brackets catch is the group. */
export function parseColouring(text: string): Colouring {
  if (text === "folder") return { groupOf: (name) => folderOf(name) || "/", error: "" };
  if (!text.startsWith("regex:") || text === "regex:") return EACH;
  const pattern = compilePattern(text.slice("regex:".length), { ignoreCase: true });
  return {
    groupOf: (name) => caught(pattern.find(name)),
    get error() {
      return pattern.error;
    },
  };
}

/** undefined, as long as it is not known: every run is its own group. */
function caught(match: Found | null | undefined): string | null | undefined {
  if (!match) return match;
  return match.length === 1
    ? match[0]!
    : match
        .slice(1)
        .map((part) => part ?? "")
        .join(" · ");
}

export interface Coloured extends RunStyle {
  readonly group: string | null;
}

export const UNGROUPED: Coloured = { token: "--text-3", dashed: false, group: null };

export interface ColouredRun {
  /** As it is grouped by: without the tail that all share. */
  readonly name: string;
  /** Its place in the order of first sight, which gives a run its colour for good. */
  readonly position: number;
  /** Chosen by hand: "--run-3" or "#rrggbb". */
  readonly chosen?: string | undefined;
}

export function assignColours(runs: readonly ColouredRun[], { groupOf }: Colouring): Coloured[] {
  const groups = new Map<string, number>();
  const byPosition = runs.map((_, index) => index).sort((a, b) => runs[a]!.position - runs[b]!.position);
  const styles: Coloured[] = new Array<Coloured>(runs.length).fill(UNGROUPED);
  for (const index of byPosition) {
    const { name, position, chosen } = runs[index]!;
    const group = groupOf(name);
    if (typeof group === "string" && !groups.has(group)) groups.set(group, groups.size);
    const style =
      group === null ? UNGROUPED : paletteStyle((group === undefined ? position : groups.get(group)!) % PALETTE_SIZE);
    styles[index] = { ...(chosen ? { token: chosen, dashed: false } : style), group: group ?? null };
  }
  return styles;
}
