/** What people decided about runs: names, stars, notes, colours. Kept by the server, shown at once, merged when two people write. */

import { fetchState, patchState, type StateChange, type StateDocument } from "./api";
import { merged } from "./notes";

const EMPTY: StateDocument = { version: 0, runs: {}, pins: [], views: {}, dashboards: {} };
const TRIES = 5;

export class Notes {
  #kept = $state.raw<StateDocument>(EMPTY);
  /** Made here and not yet confirmed by the server. */
  #pending = $state.raw<readonly StateChange[]>([]);
  readonly document = $derived(this.#pending.reduce(merged, this.#kept));
  error = $state("");
  #isSending = false;

  async read(): Promise<void> {
    try {
      const state = await fetchState();
      if (state.version >= this.#kept.version) this.#kept = state;
    } catch (error) {
      this.#fail(error);
    }
  }

  change(change: StateChange): void {
    this.#pending = [...this.#pending, change];
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (let tries = 0; this.#pending.length > 0;) {
      try {
        const { state, isDone } = await patchState(this.#kept.version, this.#pending[0]!);
        this.#kept = state;
        tries = isDone ? 0 : tries + 1;
        if (isDone) this.error = "";
        if (isDone || tries === TRIES) this.#pending = this.#pending.slice(1);
      } catch (error) {
        this.#fail(error);
        this.#pending = [];
      }
    }
    this.#isSending = false;
  }

  #fail(error: unknown): void {
    this.error = `Names and notes are not kept: ${error instanceof Error ? error.message : String(error)}`;
  }
}
