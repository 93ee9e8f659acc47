/** What can be done on the page as it is: the palette lists it, and its keys work. */

import { untrack } from "svelte";
import type { Command } from "../public/core";

interface Entry {
  readonly command: Command;
  readonly isActive: () => boolean;
}

export class Commands {
  // No state: a view is mounted in a batch of its own, which may read older state and would lose others' commands.
  #entries: readonly Entry[] = [];
  #changes = $state(0);

  get all(): readonly Command[] {
    void this.#changes;
    return this.#entries.filter(({ isActive }) => isActive()).map(({ command }) => command);
  }

  /** A hidden view's commands are not active. Returns a function that removes the command. */
  add(command: Command, isActive: () => boolean = () => true): () => void {
    const entry = { command, isActive };
    this.#replace([...this.#entries, entry]);
    return () => this.#replace(this.#entries.filter((other) => other !== entry));
  }

  #replace(entries: readonly Entry[]): void {
    this.#entries = entries;
    // Untracked: an effect that adds a command must not run again because the list changed.
    untrack(() => (this.#changes += 1));
  }
}
