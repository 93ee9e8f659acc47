/** A run that a page watches: read at once, again when something was logged, and from time to time while it runs. */

import { messageOf } from "../base/errors";
import { LatestOnly } from "./latest_only";
import { fetchRun, type RunAnswer } from "./run";

const PAUSE_MS = 1000;
/** run.json says "finished" without a new point. */
const POLL_MS = 4000;

export class RunSource {
  /** Null until the first answer; an older one stays while a newer is on its way. */
  answer = $state.raw<RunAnswer | null>(null);
  error = $state("");
  #run = "";
  readonly #reading = new LatestOnly<string>((run) => this.#read(run), PAUSE_MS);

  ask(run: string): void {
    if (run !== this.#run) this.answer = null;
    this.#run = run;
    if (run !== "") this.#reading.run(run);
  }

  /** For an effect: asks again while the run may change without a word. */
  poll(): () => void {
    const timer = setInterval(() => {
      const status = this.answer?.status;
      if (!document.hidden && this.#run !== "" && (this.error !== "" || status === "running" || status === "writing"))
        this.#reading.run(this.#run);
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      this.#reading.cancel();
    };
  }

  async #read(run: string): Promise<void> {
    try {
      const answer = await fetchRun(run);
      if (run === this.#run) this.answer = answer;
      this.error = "";
    } catch (failure) {
      this.error = messageOf(failure);
    }
  }
}
