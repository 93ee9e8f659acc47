/** Which runs a card on Time series shows. */

import type { BoardHost } from "./host";

type Runs = Pick<BoardHost, "catalogue" | "runs">;

/** Reactive: the shown runs that have a tag, in the table's order. */
export function shownRuns({ catalogue, runs }: Runs, kind: string, tag: string): readonly string[] {
  const having = new Set(catalogue.tags(kind).find((entry) => entry.tag === tag)?.runs);
  return runs.shown.filter((run) => having.has(run));
}

/** The run to show of several: the one picked, or the one in focus, or the first. */
export function runToShow({ runs: { focused } }: Runs, runs: readonly string[], picked: unknown): string | undefined {
  return runs.find((run) => run === picked) ?? runs.find((run) => run === focused) ?? runs[0];
}
