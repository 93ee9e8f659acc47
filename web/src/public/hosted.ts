/** The run that a card on Time series shows when it shows one at a time: the one picked, else the one in focus, else the first. */

import type { DashboardContext } from "./plugin";

/** Reactive: the shown runs that have a tag, in the table's order. */
export function shownRuns(context: DashboardContext, kind: string, tag: string): readonly string[] {
  const having = new Set(context.catalogue.tags(kind).find((entry) => entry.tag === tag)?.runs);
  return context.runs.shown.filter((run) => having.has(run));
}

/** The run that a card shows when it shows one: the one picked, else the one in focus, else the first. */
export function runToShow(context: DashboardContext, runs: readonly string[], picked: unknown): string | undefined {
  return runs.find((run) => run === picked) ?? runs.find((run) => run === context.runs.focused) ?? runs[0];
}
