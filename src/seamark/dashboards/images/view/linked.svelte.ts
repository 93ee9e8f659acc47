/** The steps of all series that one slider moves. The slider can be used before all are known. */

import type { ImageSeriesCache } from "$public/core";

/** Further series move along, and add no steps of their own. */
const MAX_SERIES = 60;

export class LinkedSteps {
  constructor(
    private readonly cache: ImageSeriesCache,
    private readonly pairs: () => readonly { readonly run: string; readonly tag: string }[],
  ) {
    $effect(() => {
      for (const series of this.#series) cache.follow(series);
    });
  }

  readonly #series = $derived.by(() =>
    this.pairs()
      .slice(0, MAX_SERIES)
      .map(({ run, tag }) => this.cache.of(run, tag)),
  );
  readonly lists = $derived(this.#series.map(({ steps }) => steps));
}
