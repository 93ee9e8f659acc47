/** The board of Custom scalars: the charts of a layout, and what they share. */

import { BoardModel, type BoardSpec } from "$public/boards";
import { ScalarChartState } from "$public/charts";
import { KEYS, type Command, type DashboardContext, type TagEntry } from "$public/core";
import { createContext } from "svelte";
import { innerHeight } from "svelte/reactivity/window";
import type { LayoutEditor } from "./layout_editor.svelte";
import { Matches } from "./matches.svelte";
import type { Card } from "./model";

export const [getCustomBoard, setCustomBoard] = createContext<CustomBoard>();

export class CustomBoard extends BoardModel<Card, Card, DashboardContext> {
  readonly charts = new ScalarChartState(this.context, this.cards);
  readonly matches = new Matches();
  readonly scalars = $derived.by(() => this.context.catalogue.tags("scalars"));
  readonly #byTag = $derived.by(() => new Map(this.scalars.map((entry) => [entry.tag, entry])));

  constructor(
    context: DashboardContext,
    readonly editor: LayoutEditor,
  ) {
    super(context, specOf(editor));
  }

  entryOf(tag: string): TagEntry | undefined {
    return this.#byTag.get(tag);
  }

  override commands(focusFilter: () => void, hasColumns: boolean): Command[] {
    return [
      ...super.commands(focusFilter, hasColumns),
      {
        title: "Log y axis",
        keys: KEYS.logScale,
        run: () => void (this.at !== null && this.charts.toggleLogY(this.at)),
      },
      { title: "New layout of charts", run: () => this.editor.create() },
    ];
  }
}

function specOf(editor: LayoutEditor): BoardSpec<Card, Card> {
  const { layouts } = editor;
  return {
    label: "Layout",
    noun: "charts",
    hasFilter: false,
    tags: () => editor.sections.flatMap(({ cards }) => cards),
    isComplete: () => layouts.isReady,
    error: () => layouts.error,
    retry: () => void layouts.readLogged().then(() => layouts.readSaved()),
    cardsOf: (card) => [card],
    sectionsOf: () =>
      editor.sections.map(({ key, title, closed, cards }) => ({
        prefix: key,
        title,
        entries: cards,
        startsClosed: closed,
        alone: editor.isEditing,
      })),
    heightOf: (_, __, columns) => cardHeight(innerHeight.current ?? 900, columns),
    stretches: () => true,
  };
}

function cardHeight(windowHeight: number, columns: number): number {
  return Math.round(Math.min(Math.max(windowHeight * 0.28, 230), 340) * (columns === 1 ? 1.3 : 1));
}
