/** The histograms behind a card: asked for again when the request or the data changes, the old ones kept until then. */

import { messageOf } from "../base/errors";
import { HistogramBatcher } from "./histogram_batcher";
import type { Hint, HistogramBlock, HistogramRequest } from "./histograms";
import { LatestOnly } from "./latest_only";

/** A run that logs all the time is asked about a few times a second at most. */
const PAUSE_MS = 250;
const asks = new HistogramBatcher();

export class HistogramSource {
  /** Those of other cards may be in it. */
  block = $state.raw<HistogramBlock | null>(null);
  /** Of the whole series, also while a window is shown. */
  health = $state.raw<readonly Hint[]>([]);
  error = $state("");
  #last: HistogramRequest | null = null;
  #closed = false;

  readonly #latest = new LatestOnly<HistogramRequest>(async (request) => {
    try {
      const block = await asks.ask(request);
      if (this.#closed) return;
      this.block = block;
      if (block.health) this.health = block.health;
      this.error = "";
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }, PAUSE_MS);

  ask(request: HistogramRequest): void {
    this.#last = request;
    if (request.runs.length > 0) this.#latest.run(request);
  }

  retry(): void {
    if (this.#last) this.ask(this.#last);
  }

  close(): void {
    this.#closed = true;
    this.#latest.cancel();
  }
}
