/** The search of the outline: what was typed, and the nodes and groups that match. */

import { Resource } from "$public/core";
import type { GraphModel } from "../../graph_model.svelte";
import type { GraphRef, SearchResult } from "../../wire";

export class GraphSearch {
  text = $state("");
  /** Where the arrow keys went; null until then. */
  #moved = $state<number | null>(null);
  #picksFirst = $state(false);
  readonly #results;

  /** Created with its component: it requests results as long as that exists. */
  constructor(private readonly model: GraphModel) {
    this.#results = new Resource(({ ref, text }: { ref: GraphRef; text: string }, signal) =>
      model.requests.search(ref, text, signal),
    );
    $effect(() => {
      if (this.#request) this.#results.load(this.#request);
    });
    $effect(() => {
      if (!this.#picksFirst || this.isStale) return;
      this.#picksFirst = false;
      this.pick(this.active);
    });
    $effect(() => () => this.#results.close());
  }

  readonly isSearching = $derived.by(() => this.text.trim() !== "");
  readonly #request = $derived.by(() => {
    const { ref } = this.model;
    return ref && this.isSearching ? { ref, text: this.text.trim() } : null;
  });
  /** The listed results are those of an earlier text: nothing acts on them. */
  readonly isStale = $derived.by(() => this.#request !== null && this.#results.valueFor(this.#request) === null);
  readonly #found = $derived.by(() => {
    const { loaded } = this.#results;
    return loaded && loaded.request.ref.run === this.model.ref?.run && loaded.request.ref.graph === this.model.ref.graph
      ? loaded.value
      : null;
  });
  /** Of the last text that has a response. */
  readonly results = $derived.by((): readonly SearchResult[] => this.#found?.results ?? []);
  /** null until the response. */
  readonly total = $derived.by((): number | null => (this.isStale ? null : (this.#found?.total ?? null)));
  readonly error = $derived.by(() => (this.isSearching ? this.#results.error : ""));
  readonly active = $derived.by(() => Math.min(this.#moved ?? 0, Math.max(0, this.results.length - 1)));

  set(text: string): void {
    this.text = text;
    this.#picksFirst = false;
    this.#moved = null;
  }

  moveTo(index: number): void {
    this.#moved = index;
  }

  /** Enter: the active result, as soon as there is one of this text. */
  pickActive(): void {
    if (this.isStale) this.#picksFirst = true;
    else this.pick(this.active);
  }

  pick(index: number): void {
    if (this.isStale) return;
    const result = this.results[index];
    if (!result) return;
    this.moveTo(index);
    this.model.reveal(result.id, result.groups);
  }
}
