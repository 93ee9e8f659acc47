/** The steps of everything that one slider moves. The slider can be used before all are known. */

import type { Library } from "./series.svelte";

/** Beyond this many, the rest moves along and adds no steps of its own. */
const MAX_ASKED = 60;

export class LinkedSteps {
  constructor(
    private readonly library: Library,
    private readonly pairs: () => readonly { readonly run: string; readonly tag: string }[],
  ) {
    $effect(() => {
      for (const series of this.#series) library.follow(series);
    });
  }

  readonly #series = $derived.by(() =>
    this.pairs()
      .slice(0, MAX_ASKED)
      .map(({ run, tag }) => this.library.of(run, tag)),
  );
  readonly lists = $derived(this.#series.map(({ steps }) => steps));
}
