/** What can be done right now: the palette lists it, and the keys that belong to it work. */

import { untrack } from "svelte";
import type { Command } from "../public/core";

export class Commands {
  // No state: views are mounted in batches of their own, in which state may be read as it was before, and a list made of such a reading would lose the others' commands.
  #entries: readonly Command[] = [];
  #changes = $state(0);

  get all(): readonly Command[] {
    void this.#changes;
    return this.#entries;
  }

  add(entry: Command): () => void {
    this.#replace([...this.#entries, entry]);
    return () => this.#replace(this.#entries.filter((other) => other !== entry));
  }

  #replace(entries: readonly Command[]): void {
    this.#entries = entries;
    // Untracked: an effect that adds a command must not run again because the list changed.
    untrack(() => (this.#changes += 1));
  }
}
