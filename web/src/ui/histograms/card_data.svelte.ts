/** The data of a card of histograms or of distributions: the block of its runs, its rows, and notes about them. */

import { onMount } from "svelte";
import { formatCount } from "../../base/format";
import type { HistogramRequest } from "../../data/histograms";
import { HistogramSource } from "../../data/histogram_source.svelte";
import { payloadAttempts } from "../../data/series";
import { rangeField, rangeOf, type CardRange } from "../board/card_state.svelte";
import type { HistogramCard } from "./cards";
import { getExplodedRuns, getHistogramBoard } from "./host";
import { noteOf, rowsOf, tallyOf } from "./rows";
import { HistogramSettings, type Mode } from "./settings.svelte";

const EXPLODING = "exploding";
/** More lines on top of each other cannot be told apart. */
const MAX_RUNS = 6;

/** The part of the axis and of the values that is shown; null is all of it. */
export interface CardWindow {
  /** In units of the axis: steps, or seconds. */
  readonly x: CardRange | null;
  readonly y: CardRange | null;
}

/** Created with its card: it requests the block as long as that exists. */
export class CardData {
  readonly #source = new HistogramSource();
  readonly #board = getHistogramBoard();
  readonly #context = this.#board.context;
  readonly settings = new HistogramSettings(this.#context.url);

  constructor(
    private readonly cardNow: () => HistogramCard,
    partOf: (isFull: boolean, mode: Mode) => Pick<HistogramRequest, "parts" | "most">,
  ) {
    $effect(() => {
      const { tag } = this.card;
      const { attempts } = this.#context.settings;
      const request = {
        tag,
        runs: this.shown,
        axis: this.axis,
        along: this.window.x,
        // What a restart replaced goes on behind the newest step, but is older.
        attempts: this.axis === "step" ? attempts : payloadAttempts(attempts),
        ...partOf(this.isFull, this.settings.mode),
      };
      if (request.runs.length > 0) this.#source.load(request, this.#context.revisionOf("histograms", tag));
    });
    const exploded = this.#board.isHosted ? null : getExplodedRuns();
    $effect(() => {
      for (const { run, rule } of this.hints) if (rule === EXPLODING) exploded?.add(run);
    });
    onMount(() => () => this.#source.close());
  }

  readonly card = $derived.by(() => this.cardNow());
  readonly isFull = $derived.by(() => this.#board.isFull(this.card.key));
  readonly #fields = $derived.by(() => this.#board.cards.of(this.card.key));
  readonly #names = $derived.by(() => JSON.stringify(this.card.runs.slice(0, MAX_RUNS)));
  /** The same list while it names the same runs: lists of runs are created often, and pictures cost more. */
  readonly shown = $derived.by(() => JSON.parse(this.#names) as readonly string[]);
  readonly singleRun = $derived.by(() => (this.card.runs.length === 1 ? this.card.runs[0]! : null));
  readonly axis = $derived.by(() => this.#context.settings.axis);
  readonly window = $derived.by((): CardWindow => {
    const { x, y, axis = "step" } = this.#fields;
    // Limits in steps mean nothing in seconds.
    return { x: axis === this.axis ? rangeOf(x) : null, y: rangeOf(y) };
  });
  readonly block = $derived.by(() => this.#source.value);
  readonly error = $derived.by(() => (this.block ? "" : this.#source.error));
  readonly rows = $derived.by(() => (this.block ? rowsOf(this.block, this.shown, this.axis) : []));
  readonly problems = $derived.by(() => this.rows.filter(({ row }) => this.block!.problems.has(row)));
  readonly hints = $derived.by(() => this.#source.health.filter(({ run }) => this.shown.includes(run)));
  readonly note = $derived.by(() => {
    if (!this.block) return this.error ? "" : "loading…";
    const [drawn, all] = [this.shown.length, this.card.runs.length];
    const runs = this.singleRun ? [] : [all > drawn ? `${drawn} of ${all} runs` : `${drawn} runs`];
    return [...runs, noteOf(tallyOf(this.block, this.rows), formatCount)].join(" · ");
  });
  readonly label = $derived.by(() => {
    const runs = this.singleRun ? this.styleOf(this.singleRun).label : `${this.shown.length} runs`;
    return `${this.card.tag}: ${runs}, ${this.note}`;
  });
  /** What a picture needs besides the data. */
  readonly appearance = $derived.by(() => {
    const { theme, runs } = this.#context;
    return { theme, tokenOf: (run: string) => runs.styleOf(run).token, focused: this.singleRun ? null : runs.focused };
  });

  readonly styleOf = (run: string) => this.#context.runs.styleOf(run);

  setWindow({ x, y }: CardWindow): void {
    const axis = x && this.axis !== "step" ? this.axis : undefined;
    this.#board.cards.change(this.card.key, { x: rangeField(x), axis, y: rangeField(y) });
  }

  retry(): void {
    this.#source.retry();
  }
}
