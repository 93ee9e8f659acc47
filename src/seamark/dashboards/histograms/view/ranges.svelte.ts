/** The value ranges of cards side by side: those of one tag share an axis, so that runs can be compared by eye. */

import type { Range } from "$public";
import { SvelteMap } from "svelte/reactivity";
import { common } from "./model";

export class Ranges {
  readonly #known = new SvelteMap<string, { readonly tag: string; readonly range: Range }>();

  tell(card: string, tag: string, range: Range): void {
    const old = this.#known.get(card)?.range;
    if (old?.from !== range.from || old.to !== range.to) this.#known.set(card, { tag, range });
  }

  forget(card: string): void {
    this.#known.delete(card);
  }

  of(tag: string, own: Range): Range {
    return common(own, [...this.#known.values()].filter((entry) => entry.tag === tag).map(({ range }) => range));
  }
}
