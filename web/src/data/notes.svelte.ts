/** Names, stars, notes and colours of runs: saved by the server, shown at once, merged when two people edit. */

import { messageOf } from "../base/errors";
import type { StateChange, StateDocument } from "./api";
import { merged } from "./notes";
import { RequestError } from "./request";
import { changeState, fetchState } from "./saved_state";

const EMPTY: StateDocument = { version: 0, runs: {}, pins: [], views: {}, dashboards: {} };
const RETRY_AFTER_MS = 3_000;

export class Notes {
  #saved = $state.raw<StateDocument>(EMPTY);
  /** Edits that the server has not confirmed yet. */
  #pending = $state.raw<readonly StateChange[]>([]);
  readonly document = $derived(this.#pending.reduce(merged, this.#saved));
  error = $state("");
  #isSending = false;

  async read(): Promise<void> {
    try {
      const state = await fetchState();
      if (state.version >= this.#saved.version) this.#saved = state;
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
    while (this.#pending.length > 0) {
      try {
        this.#saved = await changeState(this.#pending[0]!, this.#saved.version);
        this.#pending = this.#pending.slice(1);
        this.error = "";
      } catch (error) {
        this.#fail(error);
        // The server will never accept this one. Without a connection all of them wait.
        if (error instanceof RequestError && error.isRejected) this.#pending = this.#pending.slice(1);
        else await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      }
    }
    this.#isSending = false;
  }

  #fail(error: unknown): void {
    this.error = `Names and notes are not saved: ${messageOf(error)}`;
  }
}
