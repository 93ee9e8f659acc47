/** What can be done right now: the palette lists it, and the keys that belong to it work. */

import { untrack } from "svelte";
import type { Command } from "../public/plugin";

export class Commands {
  #entries = $state.raw<readonly Command[]>([]);

  get all(): readonly Command[] {
    return this.#entries;
  }

  add(entry: Command): () => void {
    // Untracked: an effect that adds a command must not run again because the list changed.
    untrack(() => (this.#entries = [...this.#entries, entry]));
    return () => untrack(() => {
      this.#entries = this.#entries.filter((other) => other !== entry);
    });
  }
}
