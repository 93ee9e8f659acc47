/** What views add to the page while they are mounted, such as commands. Entries of hidden views are not listed. */

import { untrack } from "svelte";

interface Entry<Value> {
  readonly value: Value;
  readonly isActive: () => boolean;
}

export class Registry<Value> {
  // No state: a view is mounted in a batch of its own, which may read older state and would lose others' entries.
  #entries: readonly Entry<Value>[] = [];
  #changes = $state(0);

  /** Reactive; in the order in which they were added. */
  get all(): readonly Value[] {
    void this.#changes;
    return this.#entries.filter(({ isActive }) => isActive()).map(({ value }) => value);
  }

  /** Returns a function that removes the entry. */
  add(value: Value, isActive: () => boolean = () => true): () => void {
    const entry = { value, isActive };
    this.#replace([...this.#entries, entry]);
    return () => this.#replace(this.#entries.filter((other) => other !== entry));
  }

  #replace(entries: readonly Entry<Value>[]): void {
    this.#entries = entries;
    // Untracked: an effect that adds an entry must not run again because the list changed.
    untrack(() => (this.#changes += 1));
  }
}
