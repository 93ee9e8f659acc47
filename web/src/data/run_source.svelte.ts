/** The record of a run that a page shows. */

import { Resource } from "./resource.svelte";
import { fetchRun, type RunAnswer } from "./run";

const PAUSE_MS = 1000;
/** run.json says "finished" without a new point. */
const POLL_MS = 4000;

export class RunSource extends Resource<string, RunAnswer> {
  #run = "";

  constructor() {
    super(fetchRun, { pauseMs: PAUSE_MS });
  }

  /** "" is no run. */
  override load(run: string, revision: number | string = 0): void {
    if (run !== this.#run) this.reset();
    this.#run = run;
    if (run !== "") super.load(run, revision);
  }

  /** For an effect: loads again while the run may change without an event. */
  poll(): () => void {
    const timer = setInterval(() => {
      const status = this.value?.status;
      const mayChange = this.failure !== null || status === "running" || status === "writing";
      if (!document.hidden && mayChange) this.retry();
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      this.close();
    };
  }
}
