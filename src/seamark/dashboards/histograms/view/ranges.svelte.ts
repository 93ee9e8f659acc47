/** The value ranges of cards side by side: those of one tag share an axis, so that runs can be compared by eye. */

import type { Range } from "$public/charts";
import { SvelteMap } from "svelte/reactivity";
import { common } from "./model";

/** What a card would show by itself; null as long as it has nothing to show. */
export type OwnRange = () => Range | null;

export class Ranges {
  readonly #ofTag = new SvelteMap<string, readonly OwnRange[]>();

  /** Returns what takes the card out again. */
  join(tag: string, own: OwnRange): () => void {
    this.#ofTag.set(tag, [...(this.#ofTag.get(tag) ?? []), own]);
    return () =>
      this.#ofTag.set(
        tag,
        this.#ofTag.get(tag)!.filter((other) => other !== own),
      );
  }

  of(tag: string, own: Range): Range {
    return common(
      own,
      (this.#ofTag.get(tag) ?? []).flatMap((range) => range() ?? []),
    );
  }
}
