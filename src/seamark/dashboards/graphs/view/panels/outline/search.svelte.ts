/** The search of the outline: what was typed, and the nodes and groups that match. */

import { Resource } from "$public/core";
import type { GraphModel } from "../../graph_model.svelte";
import type { GraphRef, SearchResult } from "../../wire";

export class GraphSearch {
  text = $state("");
  /** Where the arrow keys went; null until then. */
  #moved = $state<number | null>(null);
  readonly #results;

  /** Created with its component: it requests results as long as that exists. */
  constructor(private readonly model: GraphModel) {
    this.#results = new Resource(({ ref, text }: { ref: GraphRef; text: string }, signal) =>
      model.requests.search(ref, text, signal),
    );
    $effect(() => {
      if (model.ref && this.isSearching) this.#results.load({ ref: model.ref, text: this.text.trim() });
    });
    $effect(() => () => this.#results.close());
  }

  readonly isSearching = $derived.by(() => this.text.trim() !== "");
  readonly #found = $derived.by(() => {
    const { loaded } = this.#results;
    return loaded && loaded.request.ref.run === this.model.ref?.run && loaded.request.ref.graph === this.model.ref.graph
      ? loaded.value
      : null;
  });
  /** Of the last text that has a response. */
  readonly results = $derived.by((): readonly SearchResult[] => this.#found?.results ?? []);
  /** null until the first response. */
  readonly total = $derived.by((): number | null => this.#found?.total ?? null);
  readonly error = $derived.by(() => (this.isSearching ? this.#results.error : ""));
  readonly active = $derived.by(() => Math.min(this.#moved ?? 0, Math.max(0, this.results.length - 1)));

  set(text: string): void {
    this.text = text;
    this.#moved = null;
  }

  moveTo(index: number): void {
    this.#moved = index;
  }

  pick(index: number): void {
    const result = this.results[index];
    if (!result) return;
    this.moveTo(index);
    this.model.reveal(result.id, result.groups);
  }
}
