/** The cards of Scalars and of Time series: of which kinds and tags, which are pinned, and the order of their sections. */

import type { TagSection } from "$public/boards";
import { CardArrangement } from "$public/charts";
import { type DashboardContext, type TagEntry, tagNames } from "$public/core";
import { entriesOf, groupCards, orderKinds, parseKinds, pinnedCards, SCALARS, type CardEntry } from "./entries";

/** The key of the section of pinned cards, which no prefix can be. */
export const PINNED = "\n";

export class CardList {
  readonly arrangement: CardArrangement;

  constructor(
    private readonly context: DashboardContext,
    /** Time series: the cards of other dashboards are among the charts. */
    private readonly hasEveryKind: boolean,
  ) {
    this.arrangement = new CardArrangement(context.settings);
  }

  readonly kinds = $derived.by(() => {
    const { catalogue } = this.context;
    if (!this.hasEveryKind) return [SCALARS];
    return orderKinds(catalogue.kinds.filter((kind) => kind === SCALARS || this.context.cardOf(kind)));
  });
  /** The kinds to show; none is all. */
  readonly chosen = $derived.by(() => parseKinds(this.context.url.get("kinds"), this.kinds));
  /** Of all kinds. */
  readonly every = $derived.by(() => entriesOf(this.kinds, (kind) => this.#tagsOf(kind)));
  readonly entries = $derived.by(() =>
    this.chosen.size === 0 ? this.every : this.every.filter(({ kind }) => this.chosen.has(kind)),
  );
  readonly #byKey = $derived.by(() => new Map(this.every.map((entry) => [entry.key, entry])));

  of(key: string): CardEntry | undefined {
    return this.#byKey.get(key);
  }

  /** Pinned cards first, whatever the filter. */
  sectionsOf(matching: readonly CardEntry[]): readonly TagSection<CardEntry>[] {
    const pinned = pinnedCards(this.context.settings.pins, this.#byKey);
    return [
      ...(pinned.length > 0
        ? [{ prefix: PINNED, title: "Pinned", icon: "pin" as const, entries: pinned, alone: true }]
        : []),
      ...this.arrangement.order.apply(groupCards(matching), ({ prefix }) => prefix),
    ];
  }

  /** `onScreen`: the keys of the sections that are shown, in their order. */
  moveSection(section: string, move: "top" | "up" | "down", onScreen: readonly string[]): void {
    const usual = groupCards(this.every).map(({ prefix }) => prefix);
    this.arrangement.order.move(usual, onScreen, section, move);
  }

  #tagsOf(kind: string): readonly TagEntry[] {
    const { catalogue } = this.context;
    const tags = catalogue.tags(kind);
    return kind === "text" ? tagNames.withoutCaptions(tags, catalogue.tags("images")) : tags;
  }
}
