/** The board of Scalars and of Time series: charts, the cards of other kinds, and the table of a selection. */

import { BoardModel, type BoardSpec } from "$public/boards";
import { ScalarChartState, seriesRequests } from "$public/charts";
import { KEYS, type Command, type DashboardContext, type TagEntry } from "$public/core";
import { createContext } from "svelte";
import { innerHeight } from "svelte/reactivity/window";
import { cardHeight } from "./card_height";
import type { CardList } from "./card_list.svelte";
import { cardKey, SCALARS, type CardEntry } from "./entries";

export const [getScalarBoard, setScalarBoard] = createContext<ScalarBoard>();

export class ScalarBoard extends BoardModel<CardEntry, CardEntry, DashboardContext> {
  readonly charts = new ScalarChartState(this.context, this.cards);
  /** A drag selects steps instead of zooming. */
  selecting = $state(false);
  /** The tag whose table is open. */
  readonly table = $derived.by(() => this.context.url.get("table") ?? null);
  /** In the address, a card is its tag, and its kind if that is another one. */
  override readonly full = $derived.by(() => {
    const { url } = this.context;
    const tag = url.get("card");
    return tag === undefined ? null : cardKey({ kind: url.get("cardKind") ?? SCALARS, tag });
  });
  /** Also one whose kind is not shown: it may be pinned. */
  override readonly fullCard = $derived.by(() => (this.full === null ? undefined : this.list.of(this.full)));

  constructor(
    context: DashboardContext,
    readonly list: CardList,
  ) {
    super(context, specOf(list));
  }

  /** The scalars of a tag. */
  entryOf(tag: string): TagEntry | undefined {
    return this.list.of(cardKey({ kind: SCALARS, tag }));
  }

  override open(card: string | null): void {
    const { url } = this.context;
    const entry = card === null ? undefined : this.list.of(card);
    url.set("card", entry?.tag, { push: true });
    url.set("cardKind", entry?.kind === SCALARS ? undefined : entry?.kind);
  }

  showTable(tag: string | null): void {
    this.context.url.set("table", tag ?? undefined);
  }

  override commands(focusFilter: () => void, hasColumns: boolean): Command[] {
    return [...super.commands(focusFilter, hasColumns), ...this.#chartCommands()];
  }

  #chartCommands(): Command[] {
    const { charts } = this;
    const { pins } = this.list.arrangement;
    const { settings } = this.context;
    return [
      { title: "Pin the card under the pointer", keys: KEYS.pin, run: () => this.#atHand((card) => pins.toggle(card)) },
      {
        title: "Log y axis of the card under the pointer",
        keys: KEYS.logScale,
        run: () => this.#atHand(({ kind, tag }) => kind === SCALARS && charts.toggleLogY(tag)),
      },
      { title: "Less smoothing", keys: KEYS.lessSmoothing, run: () => this.#smooth(-1) },
      { title: "More smoothing", keys: KEYS.moreSmoothing, run: () => this.#smooth(1) },
      { title: "Step along x", run: () => charts.setAxis("step") },
      { title: "Relative time along x", run: () => charts.setAxis("relative") },
      { title: "Wall time along x", run: () => charts.setAxis("wall") },
      { title: "Clip outliers", run: () => void (settings.clipOutliers = !settings.clipOutliers) },
      { title: "Select steps by dragging", keys: KEYS.selectSteps, run: () => void (this.selecting = !this.selecting) },
    ];
  }

  #atHand(act: (card: CardEntry) => void): void {
    const card = this.at === null ? undefined : this.list.of(this.at);
    if (card) act(card);
  }

  #smooth(steps: number): void {
    const { settings } = this.context;
    settings.smoothing = seriesRequests.stepSmoothing(settings.smoothing, steps);
  }
}

function specOf(list: CardList): BoardSpec<CardEntry, CardEntry> {
  // Read for each of thousands of cards: a derived value takes a tenth of the time.
  const windowHeight = $derived(innerHeight.current ?? 900);
  return {
    label: "Charts",
    noun: "charts",
    empty: {
      title: "Nothing to show here yet",
      sentence: "Charts appear within a second of the first write. Any TensorBoard writer works:",
      code: 'from torch.utils.tensorboard import SummaryWriter\n\nwriter = SummaryWriter("runs/first")\nwriter.add_scalar("train/loss", loss, step)',
    },
    tags: () => list.entries,
    cardsOf: (entry) => [entry],
    sectionsOf: (matching) => list.sectionsOf(matching),
    heightOf: (_, __, columns) => cardHeight(windowHeight, columns),
    measuredAs: ({ kind }) => (kind === SCALARS ? null : kind),
    stretches: ({ kind }) => kind === SCALARS,
  };
}
