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
  /** Its place in the order of first sight, which gives a run its colour for good unless another one that is shown has it. */
  readonly position: number;
  /** Chosen by hand: "--run-3" or "#rrggbb". */
  readonly chosen?: string | undefined;
  /** Runs that are shown take a colour first. */
  readonly isShown?: boolean;
  /** Of runs with the same number no two are alike while there are colours left: see `numberCharts`. */
  readonly chart?: number;
}

export function assignColours(runs: readonly ColouredRun[], { groupOf }: Colouring): Coloured[] {
  const byPosition = [...runs.keys()].sort((a, b) => runs[a]!.position - runs[b]!.position);
  const groups = runs.map(({ name }) => groupOf(name));
  const groupPlaces = new Map<string, number>();
  for (const index of byPosition) {
    const group = groups[index];
    if (typeof group === "string" && !groupPlaces.has(group)) groupPlaces.set(group, groupPlaces.size);
  }
  const shown = byPosition.filter((index) => runs[index]!.isShown ?? true);
  const hidden = byPosition.filter((index) => !(runs[index]!.isShown ?? true));
  const charts = new Map<number, FreePlaces>();
  const freeOf = ({ chart = 0 }: ColouredRun): FreePlaces => {
    let free = charts.get(chart);
    if (!free) charts.set(chart, (free = new FreePlaces()));
    return free;
  };
  for (const index of shown) freeOf(runs[index]!).note(runs[index]!.chosen);
  const styles: Coloured[] = new Array<Coloured>(runs.length).fill(UNGROUPED);
  for (const index of [...shown, ...hidden]) {
    const { position, chosen } = runs[index]!;
    const group = groups[index];
    if (chosen) styles[index] = { token: chosen, dashed: false, group: group ?? null };
    else if (group !== null)
      styles[index] = {
        ...paletteStyle(group === undefined ? freeOf(runs[index]!).take(position) : groupPlaces.get(group)!),
        group: group ?? null,
      };
  }
  return styles;
}

/** How often each colour of the palette is taken. */
class FreePlaces {
  readonly #counts = new Uint32Array(PALETTE_SIZE);
  #least = 0;

  /** Notes that a colour was chosen by hand. */
  note(token: string | undefined): void {
    const place = Number(/^--run-(\d+)$/.exec(token ?? "")?.[1]) - 1;
    if (place >= 0 && place < PALETTE_SIZE) this.#counts[place]! += 1;
  }

  /** The wanted one, or the next of those that are taken least often. */
  take(wanted: number): number {
    while (!this.#counts.includes(this.#least)) this.#least += 1;
    let place = wanted % PALETTE_SIZE;
    while (this.#counts[place] !== this.#least) place = (place + 1) % PALETTE_SIZE;
    this.#counts[place]! += 1;
    return place;
  }
}

/**
 * A number for each run, the same for runs that may meet in a chart: those that share a tag, or are linked by others that do.
 * `rowOf` is the run that a folder is part of.
 */
export function numberCharts(
  names: readonly string[],
  tags: Iterable<{ readonly runs: readonly string[] }>,
  rowOf: (run: string) => string = (run) => run,
): number[] {
  const indexes = new Map(names.map((name, index) => [name, index]));
  const parents = names.map((_, index) => index);
  const rootOf = (index: number): number => {
    while (parents[index] !== index) index = parents[index] = parents[parents[index]!]!;
    return index;
  };
  let separate = names.length;
  for (const { runs } of tags) {
    if (separate === 1) break; // as a rule after one tag: all runs have it
    let first: number | undefined;
    for (const run of runs) {
      const index = indexes.get(rowOf(run));
      if (index === undefined) continue;
      const root = rootOf(index);
      first ??= root;
      if (root === first) continue;
      parents[root] = first;
      separate -= 1;
    }
  }
  return parents.map((_, index) => rootOf(index));
}
