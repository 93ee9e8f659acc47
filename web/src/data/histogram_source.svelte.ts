/** The histograms behind a card: asked for again when the wish or the data changes, the old ones kept until then. */

import { messageOf } from "../base/errors";
import { HistogramAsks } from "./histogram_asks";
import type { Hint, HistogramBlock, HistogramWish } from "./histograms";
import { Latest } from "./latest";

/** A run that logs all the time is asked about a few times a second at most. */
const PAUSE_MS = 250;
const asks = new HistogramAsks();

export class HistogramSource {
  /** Those of other cards may be in it. */
  block = $state.raw<HistogramBlock | null>(null);
  /** Of the whole series, also while a window is shown. */
  health = $state.raw<readonly Hint[]>([]);
  error = $state("");
  #last: HistogramWish | null = null;
  #closed = false;

  readonly #latest = new Latest<HistogramWish>(async (wish) => {
    try {
      const block = await asks.ask(wish);
      if (this.#closed) return;
      this.block = block;
      if (block.health) this.health = block.health;
      this.error = "";
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }, PAUSE_MS);

  ask(wish: HistogramWish): void {
    this.#last = wish;
    if (wish.runs.length > 0) this.#latest.ask(wish);
  }

  retry(): void {
    if (this.#last) this.ask(this.#last);
  }

  close(): void {
    this.#closed = true;
    this.#latest.cancel();
  }
}
