/** The cards of a tag, and their height. */

import type { TagEntry } from "../../data/api";
import { cardPerRun } from "../board/board_model.svelte";

export interface HistogramCard {
  readonly key: string;
  readonly tag: string;
  readonly runs: readonly string[];
}

/** One card for each run of a tag, side by side; or one for all of them. */
export function cardsOf(entry: TagEntry, shown: readonly string[], isOverlaid: boolean): HistogramCard[] {
  const cards = cardPerRun(entry, shown).map(({ key, tag, run }) => ({ key, tag, runs: [run] }));
  if (!isOverlaid || cards.length === 0) return cards;
  return [{ key: entry.tag, tag: entry.tag, runs: cards.flatMap(({ runs }) => runs) }];
}

/** Runs in their order, those whose values exploded at the end: they are not the first thing on the page. */
export const explodedLast = (runs: readonly string[], exploded: ReadonlySet<string>): readonly string[] =>
  exploded.size === 0
    ? runs
    : [...runs.filter((run) => !exploded.has(run)), ...runs.filter((run) => exploded.has(run))];

/** Ridges need more height than a line does. */
export function cardHeight(windowHeight: number, columns: number): number {
  const usual = Math.min(Math.max(Math.round(windowHeight * 0.26), 220), 340);
  return columns === 1 ? Math.round(usual * 1.5) : usual;
}
