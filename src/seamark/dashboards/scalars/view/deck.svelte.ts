/** What a person did to the cards: all of it is in the address, so a copied link shows the same picture. */

import { fetchPins, savePins, type Range } from "$public/charts";
import { type Axis, type DashboardContext, type Pin } from "$public/core";
import { keepSame, parseCards, PLAIN, range, serialiseCards, type CardView, type CardViews } from "./cards";
import { keyOf, SCALARS, type CardId } from "./entries";

export class Deck {
  /** The card under the pointer or the keyboard, for shortcuts. */
  at = $state.raw<CardId | null>(null);
  /** A drag selects steps instead of zooming. */
  selecting = $state(false);
  scrolling = $state(false);

  constructor(private readonly context: DashboardContext) {}

  #lastCards: CardViews = {};
  readonly #cards = $derived.by(
    () => (this.#lastCards = keepSame(this.#lastCards, parseCards(this.context.url.get("cards")))),
  );
  readonly #closed = $derived.by(() => new Set(parseNames(this.context.url.get("closed"))));
  readonly full = $derived.by<CardId | null>(() => {
    const tag = this.context.url.get("card");
    return tag === undefined ? null : { kind: this.context.url.get("cardKind") ?? SCALARS, tag };
  });
  readonly table = $derived.by(() => this.context.url.get("table") ?? null);
  readonly selection = $derived.by(() => parseRange(this.context.url.get("select")));
  readonly zoom = $derived.by(() => parseRange(this.context.url.get("zoom")));

  viewOf(tag: string): CardView {
    return this.#cards[tag] ?? PLAIN;
  }

  change(tag: string, change: Partial<CardView>): void {
    this.context.url.set("cards", serialiseCards({ ...this.#cards, [tag]: { ...this.viewOf(tag), ...change } }));
  }

  /** Another axis has other units, so it removes every limit along x. */
  setAxis(axis: Axis): void {
    const { settings } = this.context;
    if (axis === settings.axis) return;
    settings.axis = axis;
    const cards = Object.fromEntries(Object.entries(this.#cards).map(([tag, view]) => [tag, { ...view, x: null }]));
    this.context.url.set("cards", serialiseCards(cards));
    this.setZoom(null);
    this.select(null);
  }

  setZoom(zoom: Range | null): void {
    this.context.url.set("zoom", zoom ? JSON.stringify([zoom.from, zoom.to]) : undefined);
  }

  select(selection: Range | null): void {
    this.context.url.set("select", selection ? JSON.stringify([selection.from, selection.to]) : undefined);
  }

  enter(card: CardId): void {
    this.at = card;
  }

  leave(card: CardId): void {
    if (this.at && keyOf(this.at) === keyOf(card)) this.at = null;
  }

  open(card: CardId | null): void {
    this.context.url.set("card", card?.tag, { push: true });
    this.context.url.set("cardKind", card && card.kind !== SCALARS ? card.kind : undefined);
  }

  showTable(card: string | null): void {
    this.context.url.set("table", card ?? undefined);
  }

  isOpen(section: string): boolean {
    return !this.#closed.has(section);
  }

  toggle(section: string): void {
    const closed = new Set(this.#closed);
    if (!closed.delete(section)) closed.add(section);
    this.context.url.set("closed", closed.size > 0 ? JSON.stringify([...closed]) : undefined);
  }

  isPinned(card: CardId): boolean {
    return this.context.settings.pins.some((pin) => isPinOf(pin, card));
  }

  togglePin(card: CardId): void {
    const { settings } = this.context;
    const others = settings.pins.filter((pin) => !isPinOf(pin, card));
    const pins = this.isPinned(card) ? others : [...others, { plugin: card.kind, tag: card.tag }];
    settings.pins = pins;
    void savePins(pins);
  }

  /** An address without pins shows those of the last visit. */
  async recallPins(): Promise<void> {
    if (this.context.settings.pins.length > 0) return;
    const pins = (await fetchPins()).filter(isPin);
    if (pins.length > 0 && this.context.settings.pins.length === 0) this.context.settings.pins = pins;
  }
}

const isPin = (pin: unknown): pin is Pin =>
  typeof pin === "object" &&
  pin !== null &&
  "plugin" in pin &&
  "tag" in pin &&
  typeof pin.plugin === "string" &&
  typeof pin.tag === "string";
const isPinOf = (pin: Pin, { kind, tag }: CardId): boolean => pin.plugin === kind && pin.tag === tag;

function parseNames(text: string | undefined): string[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function parseRange(text: string | undefined): Range | null {
  if (text === undefined) return null;
  try {
    const ends: unknown = JSON.parse(text);
    // One step alone is a selection as well.
    if (Array.isArray(ends) && ends[0] === ends[1] && Number.isFinite(ends[0]))
      return { from: ends[0] as number, to: ends[0] as number };
    const found = range(ends);
    return found && found.from !== null && found.to !== null ? { from: found.from, to: found.to } : null;
  } catch {
    return null;
  }
}
