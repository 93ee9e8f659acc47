/** What differs between the runs of a page: asked for when the runs change, and again when one of them wrote. */

import { messageOf } from "../base/errors";
import { LatestOnly } from "./latest_only";
import { fetchDiff, type DiffAnswer } from "./run";

/** Comparing reads every point of every metric. */
const PAUSE_MS = 3000;

export class DiffSource {
  /** Null until the first answer; an older one stays while a newer is on its way. */
  answer = $state.raw<DiffAnswer | null>(null);
  error = $state("");
  #key = "";
  readonly #reading = new LatestOnly<readonly string[]>((runs) => this.#read(runs), PAUSE_MS);
  #first: Promise<void> | undefined;

  ask(runs: readonly string[]): void {
    const key = JSON.stringify(runs);
    const isOther = key !== this.#key;
    this.#key = key;
    if (runs.length < 2) {
      this.answer = null;
      this.error = "";
    } else if (isOther) {
      // Another choice of runs does not wait for its turn.
      this.#first = this.#read(runs);
    } else {
      void this.#first?.then(() => this.#reading.run(runs));
    }
  }

  close(): void {
    this.#reading.cancel();
    this.#key = "";
  }

  async #read(runs: readonly string[]): Promise<void> {
    const key = JSON.stringify(runs);
    try {
      const answer = await fetchDiff(runs);
      if (key !== this.#key) return;
      this.answer = answer;
      this.error = "";
    } catch (failure) {
      if (key === this.#key) this.error = messageOf(failure);
    }
  }
}
