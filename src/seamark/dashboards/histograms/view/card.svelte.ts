/** What a card of histograms or of distributions knows: the block of its runs, its rows, and what there is to say about them. */

import { type CardDeck } from "$public/boards";
import { HistogramSource, payloadAttempts, type HistogramRequest } from "$public/charts";
import { formatCount, type DashboardContext } from "$public/core";
import { onMount } from "svelte";
import { noteOf, rowsOf, tallyOf } from "./model";
import type { HistogramSettings } from "./settings.svelte";

/** What all cards of a page have in common. */
export interface Desk {
  readonly context: DashboardContext;
  readonly settings: HistogramSettings;
  readonly deck: CardDeck;
  readonly openRule: (rule: string | undefined) => void;
}

export interface HistogramCardProps {
  readonly desk: Desk;
  /** Its name in the deck. */
  readonly name: string;
  readonly tag: string;
  /** One, or those that are drawn on top of each other. */
  readonly runs: readonly string[];
  readonly full?: boolean;
}

/** More lines on top of each other cannot be told apart. */
const MOST_RUNS = 6;

/** Made while its card is: it asks as long as that lives. */
export class CardData {
  readonly #source = new HistogramSource();

  /** `props` are read anew each time: they change while the card lives. */
  constructor(
    private readonly props: HistogramCardProps,
    partOf: () => Pick<HistogramRequest, "parts" | "most">,
  ) {
    $effect(() => {
      const {
        tag,
        desk: { context },
      } = props;
      const request = {
        tag,
        runs: this.shown,
        axis: this.axis,
        along: this.window.along,
        attempts: payloadAttempts(context.settings.attempts),
        ...partOf(),
      };
      if (request.runs.length > 0) this.#source.load(request, context.revisionOf("histograms", tag));
    });
    onMount(() => () => this.#source.close());
  }

  readonly #names = $derived.by(() => JSON.stringify(this.props.runs.slice(0, MOST_RUNS)));
  /** The same list as long as it names the same runs: lists of runs are made anew all the time, and pictures cost more. */
  readonly shown = $derived.by(() => JSON.parse(this.#names) as readonly string[]);
  readonly singleRun = $derived.by(() => (this.props.runs.length === 1 ? this.props.runs[0]! : null));
  readonly window = $derived.by(() => this.props.desk.deck.windowOf(this.props.name));
  readonly axis = $derived.by(() => this.props.desk.context.settings.axis);
  readonly block = $derived.by(() => this.#source.value);
  readonly error = $derived.by(() => (this.block ? "" : this.#source.error));
  readonly rows = $derived.by(() => (this.block ? rowsOf(this.block, this.shown, this.axis) : []));
  readonly problems = $derived.by(() => this.rows.filter(({ row }) => this.block!.problems.has(row)));
  readonly hints = $derived.by(() => this.#source.health.filter(({ run }) => this.shown.includes(run)));
  readonly note = $derived.by(() => {
    if (!this.block) return this.error ? "" : "loading…";
    const [drawn, all] = [this.shown.length, this.props.runs.length];
    const runs = this.singleRun ? [] : [all > drawn ? `${drawn} of ${all} runs` : `${drawn} runs`];
    return [...runs, noteOf(tallyOf(this.block, this.rows), formatCount)].join(" · ");
  });
  readonly label = $derived.by(
    () =>
      `${this.props.tag}: ${this.singleRun ? this.styleOf(this.singleRun).label : `${this.shown.length} runs`}, ${this.note}`,
  );
  readonly look = $derived.by(() => {
    const { theme, runs } = this.props.desk.context;
    return { theme, tokenOf: (run: string) => runs.styleOf(run).token, focused: this.singleRun ? null : runs.focused };
  });

  readonly styleOf = (run: string) => this.props.desk.context.runs.styleOf(run);

  retry(): void {
    this.#source.retry();
  }
}

/** The place along the axis that a key leads to: so many histograms on, from where the pointer is or from an end. */
export function stepped(
  rows: readonly { readonly along: number }[],
  from: number | null,
  by: number,
): number | undefined {
  const places = [...new Set(rows.map(({ along }) => along))];
  const nearest = (at: number): number =>
    places.reduce((best, place, index) => (Math.abs(place - at) < Math.abs(places[best]! - at) ? index : best), 0);
  const start = from === null ? (by > 0 ? -1 : places.length) : nearest(from);
  const index = start + (Number.isFinite(by) ? by : Math.sign(by) * places.length);
  return places[Math.min(Math.max(0, index), places.length - 1)];
}
