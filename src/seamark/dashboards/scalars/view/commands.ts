/** What the keyboard and the palette can do to the charts. */

import type { Command, DashboardContext } from "$public/core";
import type { Deck } from "./deck.svelte";
import { SCALARS, type CardId } from "./entries";

const SMOOTHING_STEP = 0.05;

export function shortcuts(context: DashboardContext, deck: Deck, tagField: () => HTMLInputElement | null): Command[] {
  const { settings } = context;
  const smooth = (by: number): void => {
    settings.smoothing = Math.min(0.999, Math.max(0, +(settings.smoothing + by).toFixed(3)));
  };
  const onCard = (act: (card: CardId) => void) => (): void => {
    if (deck.at !== null) act(deck.at);
  };
  const logY = ({ kind, tag }: CardId): void => {
    if (kind === SCALARS)
      deck.change(tag, { yScale: (deck.viewOf(tag).yScale ?? settings.yScale) === "log" ? "linear" : "log" });
  };
  return [
    { title: "Filter tags", keys: "t", run: () => tagField()?.focus() },
    { title: "Pin the card under the pointer", keys: "p", run: onCard((card) => deck.togglePin(card)) },
    {
      title: "Full screen",
      keys: "e",
      run: () => (deck.full === null ? onCard((card) => deck.open(card))() : deck.open(null)),
    },
    { title: "Log y axis of the card under the pointer", keys: "l", run: onCard(logY) },
    { title: "Less smoothing", keys: "[", run: () => smooth(-SMOOTHING_STEP) },
    { title: "More smoothing", keys: "]", run: () => smooth(SMOOTHING_STEP) },
    ...[1, 2, 3, 4].map((columns) => ({
      title: `${columns} ${columns === 1 ? "column" : "columns"}`,
      keys: String(columns),
      run: () => void (settings.columns = columns),
    })),
    { title: "Step along x", run: () => deck.setAxis("step") },
    { title: "Relative time along x", run: () => deck.setAxis("relative") },
    { title: "Wall time along x", run: () => deck.setAxis("wall") },
    { title: "Clip outliers", run: () => void (settings.clipOutliers = !settings.clipOutliers) },
    { title: "Select steps by dragging", keys: "s", run: () => void (deck.selecting = !deck.selecting) },
  ];
}
