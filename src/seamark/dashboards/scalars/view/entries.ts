/** What gets a card: every tag of every kind that somebody can draw. */

import { type Pin, type TagEntry, type TagGroup, tagNames } from "$public/core";

export const SCALARS = "scalars";

export interface CardEntry extends TagEntry {
  readonly key: string;
  readonly kind: string;
}

/** An image and a scalar may share a tag. */
export const cardKey = ({ kind, tag }: { readonly kind: string; readonly tag: string }): string => `${kind}\0${tag}`;

/** Scalars come first, the other kinds in alphabetical order after them. */
export function orderKinds(kinds: readonly string[]): string[] {
  return [...kinds].sort((a, b) => Number(b === SCALARS) - Number(a === SCALARS) || (a < b ? -1 : 1));
}

export function entriesOf(kinds: readonly string[], tagsOf: (kind: string) => readonly TagEntry[]): CardEntry[] {
  return kinds.flatMap((kind) =>
    tagsOf(kind).map(({ tag, runs }) => ({ key: cardKey({ kind, tag }), kind, tag, runs })),
  );
}

/** Groups by the tag's prefix, those with scalars first; within one, kind after kind, so that cards of a height stand side by side. */
export function groupCards(entries: readonly CardEntry[]): TagGroup<CardEntry>[] {
  const rank = new Map(orderKinds([...new Set(entries.map(({ kind }) => kind))]).map((kind, index) => [kind, index]));
  const hasNoScalars = (group: readonly CardEntry[]): boolean => group.every(({ kind }) => kind !== SCALARS);
  return tagNames
    .groupByPrefix(entries, hasNoScalars)
    .map(({ entries: group, ...section }) => ({
      ...section,
      entries: [...group].sort((a, b) => rank.get(a.kind)! - rank.get(b.kind)!),
    }));
}

/** The pinned cards in the order they were pinned. TensorBoard pins an image once per run and sample; here one card shows them all. */
export function pinnedCards(pins: readonly Pin[], byKey: ReadonlyMap<string, CardEntry>): CardEntry[] {
  return [...new Set(pins.flatMap(({ plugin, tag }) => byKey.get(cardKey({ kind: plugin, tag })) ?? []))];
}

/** The kinds a person wants to see, as the address has them; none is all. */
export function parseKinds(text: string | undefined, known: readonly string[]): ReadonlySet<string> {
  return new Set((text ?? "").split(",").filter((kind) => known.includes(kind)));
}

export function toggleKind(chosen: ReadonlySet<string>, kind: string, known: readonly string[]): string | undefined {
  const next = known.filter((other) => (other === kind) !== chosen.has(other));
  return next.length === 0 || next.length === known.length ? undefined : next.join(",");
}

export function kindTitle(kind: string): string {
  const words = kind.replace(/_/g, " ").replace(/^pr\b/, "PR");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
