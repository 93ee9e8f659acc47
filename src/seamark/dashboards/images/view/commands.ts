/** What the keyboard and the palette can do to images. */

import { KEYS, type Command, type DashboardContext } from "$public/core";
import type { Deck } from "./deck.svelte";

export function shortcuts(context: DashboardContext, deck: Deck, tagField: () => HTMLInputElement | null): Command[] {
  const { settings } = context;
  const onCard = (act: (card: NonNullable<Deck["at"]>) => void) => (): void => {
    if (deck.at && !deck.opened) act(deck.at);
  };
  const move = (by: number) =>
    onCard(({ run, tag }) => {
      const series = deck.library.of(run, tag);
      const place = Math.min(series.steps.length - 1, Math.max(0, series.placeOf(deck.stepOf(run, tag)) + by));
      deck.setStep(run, tag, place === series.steps.length - 1 ? null : series.steps[place]!);
    });
  return [
    { title: "Filter tags", keys: "t", run: () => tagField()?.focus() },
    {
      title: "Open the image under the pointer",
      keys: "e",
      run: () => (deck.opened ? deck.open(null) : onCard((card) => deck.open(card))()),
    },
    {
      title: "Compare the image under the pointer",
      keys: KEYS.compare,
      run: onCard((card) => {
        deck.open(card);
        deck.compare(card);
      }),
    },
    { title: "Step back, image under the pointer", keys: KEYS.back, run: move(-1) },
    { title: "Step forward, image under the pointer", keys: KEYS.forward, run: move(1) },
    { title: "Link the steps of all images", keys: KEYS.linkSteps, run: () => deck.toggle("linked") },
    {
      title: "Grid of runs × steps",
      keys: "g",
      run: () =>
        deck.showGrid(
          deck.gridTag === null ? (deck.at?.tag ?? context.catalogue.tags("images")[0]?.tag ?? null) : null,
        ),
    },
    { title: "Images at actual size", keys: "Shift+A", run: () => deck.toggle("actual") },
    { title: "Smooth pixels when enlarged", run: () => deck.toggle("smooth") },
    {
      title: "Brightness and contrast as logged",
      run: () => {
        deck.set("brightness", 1);
        deck.set("contrast", 1);
      },
    },
    ...[1, 2, 3, 4].map((columns) => ({
      title: `${columns} ${columns === 1 ? "column" : "columns"}`,
      keys: String(columns),
      run: () => {
        if (!deck.opened) settings.columns = columns;
      },
    })),
  ];
}

/** What the stage answers to itself. */
export const STAGE_KEYS: ReadonlySet<string> = new Set([KEYS.actualSize, KEYS.compare]);

export interface StageActions {
  step(by: number): void;
  zoom(factor: number): void;
  fit(): void;
  actual(): void;
  toggleCompare(): void;
  mode(): void;
}

/** While an image fills the page. */
export function stageShortcuts({ step, zoom, fit, actual, toggleCompare, mode }: StageActions): Command[] {
  return [
    { title: "Open image: step back", keys: "ArrowLeft", run: () => step(-1) },
    { title: "Open image: step forward", keys: "ArrowRight", run: () => step(1) },
    { title: "Open image: larger", keys: "+", run: () => zoom(1.5) },
    { title: "Open image: smaller", keys: "-", run: () => zoom(1 / 1.5) },
    { title: "Open image: all of it", keys: "0", run: fit },
    { title: "Open image: actual size", keys: KEYS.actualSize, run: actual },
    { title: "Open image: compare", keys: KEYS.compare, run: toggleCompare },
    { title: "Open image: next way to compare", keys: KEYS.nextView, run: mode },
  ];
}
