/** What the keyboard and the palette can do to hyperparameters. */

import { KEYS, type Command } from "$public/core";
import { NO_BRUSH } from "./axes/brush";
import type { TrialsStore } from "./trials/trials_store.svelte";

export function shortcuts(store: TrialsStore, queryField: () => HTMLInputElement | null): Command[] {
  const { settings } = store;
  return [
    { title: "Filter trials", keys: "t", run: () => queryField()?.focus() },
    {
      title: "Parallel coordinates or scatter matrix",
      keys: "v",
      run: () => settings.setView(settings.view === "parallel" ? "matrix" : "parallel"),
    },
    { title: "Average over seeds", keys: KEYS.combineRuns, run: () => settings.setAveraged(!settings.isAveraged) },
    {
      title: "Open the best trial",
      keys: "b",
      run: () => store.best !== null && settings.open(store.trials.rows[store.best]!.key),
    },
    { title: "Keep only what is brushed", run: () => settings.keepBrushed() },
    { title: "Clear the brush", run: () => settings.setBrush(NO_BRUSH) },
    { title: "Clear all filters", run: () => settings.clearWhere() },
  ];
}
