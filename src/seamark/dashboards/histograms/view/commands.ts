/** What the keyboard and the palette can do to histograms. */

import type { CardDeck } from "$public/boards";
import { KEYS, type Command, type DashboardContext } from "$public/core";
import { MODES } from "./model";
import type { HistogramSettings } from "./settings.svelte";

export function shortcuts(
  context: DashboardContext,
  deck: CardDeck,
  settings: HistogramSettings,
  tagField: () => HTMLInputElement | null,
): Command[] {
  const next = (): void => settings.setMode(MODES[(MODES.indexOf(settings.mode) + 1) % MODES.length]!);
  return [
    { title: "Filter tags", keys: "t", run: () => tagField()?.focus() },
    {
      title: "Full screen",
      keys: "e",
      run: () => (deck.full === null ? deck.at !== null && deck.open(deck.at) : deck.open(null)),
    },
    ...(context.name === "histograms"
      ? [{ title: "Next kind of histogram: ridge, overlay, heat map", keys: KEYS.nextView, run: next }]
      : []),
    {
      title: context.name === "histograms" ? "Log counts" : "Log values",
      keys: "l",
      run: () => settings.setLog(!settings.isLog),
    },
    { title: "Runs together or apart", keys: "o", run: () => settings.setTogether(!settings.isOverlaid) },
    ...[1, 2, 3, 4].map((columns) => ({
      title: `${columns} ${columns === 1 ? "column" : "columns"}`,
      keys: String(columns),
      run: () => void (context.settings.columns = columns),
    })),
    { title: "Rules of health hints", run: () => context.url.set("rule", "collapsed") },
  ];
}
