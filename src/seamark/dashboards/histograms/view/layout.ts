/** Which cards there are, and how large. */

import { byName, type TagEntry } from "$public/core";

export interface HistogramCard {
  readonly key: string;
  readonly tag: string;
  readonly runs: readonly string[];
}

/** One card for each run of a tag, side by side; or one for all of them. Only what is shown. */
export function cardsOf(entries: readonly TagEntry[], shown: readonly string[], isOverlaid: boolean): HistogramCard[] {
  return [...entries]
    .sort((a, b) => byName(a.tag, b.tag))
    .flatMap(({ tag, runs }) => {
      const having = new Set(runs);
      const present = shown.filter((run) => having.has(run));
      if (isOverlaid) return present.length > 0 ? [{ key: tag, tag, runs: present }] : [];
      return present.map((run) => ({ key: `${tag}\n${run}`, tag, runs: [run] }));
    });
}

export function columnsFor(preferred: number, pageWidth: number): number {
  if (preferred >= 1) return Math.min(4, Math.round(preferred));
  return pageWidth >= 1640 ? 4 : pageWidth >= 820 ? 3 : pageWidth >= 480 ? 2 : 1;
}

/** Ridges need more height than a line does. */
export function cardHeight(windowHeight: number, columns: number): number {
  const usual = Math.min(Math.max(Math.round(windowHeight * 0.26), 220), 340);
  return columns === 1 ? Math.round(usual * 1.5) : usual;
}
