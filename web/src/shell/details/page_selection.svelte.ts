/** What is selected on the page, in the address, and who draws its details. */

import type { Details, SelectedItem, Selection } from "../../public/core";
import { Registry } from "../registry.svelte";
import type { Url } from "../url.svelte";
import { readItem, writeItem } from "./selected_item";

export class PageSelection implements Selection {
  readonly #details = new Registry<Details>();
  readonly #url: Url;

  constructor(url: Url) {
    this.#url = url;
  }

  readonly #text = $derived.by(() => this.#url.get("selected"));
  readonly item = $derived(readItem(this.#text));
  /** Null when nothing is selected, and for an item of a dashboard that is not shown. */
  readonly details = $derived.by(() => this.#details.all.findLast(({ type }) => type === this.item?.type) ?? null);

  select(item: SelectedItem | null): void {
    this.#url.set("selected", item ? writeItem(item) : undefined);
  }

  addDetails(details: Details, isActive?: () => boolean): () => void {
    return this.#details.add(details, isActive);
  }
}
