/** What a person did to cards that have a window along steps and one along values: all of it is in the address. */

export interface CardRange {
  readonly from: number;
  readonly to: number;
}

export interface CardWindow {
  /** In units of the axis: steps, or seconds. */
  readonly along: CardRange | null;
  readonly value: CardRange | null;
}

interface Address {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined, options?: { readonly push?: boolean }): void;
}

const WHOLE: CardWindow = { along: null, value: null };

export class CardDeck {
  /** The card under the pointer or the keyboard, for shortcuts. */
  at = $state<string | null>(null);

  constructor(private readonly url: Address) {}

  readonly #windows = $derived.by(() => parseWindows(this.url.get("cards")));
  readonly #closed = $derived.by(() => new Set(parseList(this.url.get("closed"))));
  readonly full = $derived.by(() => this.url.get("card") ?? null);

  windowOf(card: string): CardWindow {
    return this.#windows[card] ?? WHOLE;
  }

  look(card: string, window: CardWindow): void {
    this.#keep({ ...this.#windows, [card]: window });
  }

  /** The limits were in units of another axis. */
  forgetAlong(): void {
    this.#keep(
      Object.fromEntries(Object.entries(this.#windows).map(([card, { value }]) => [card, { along: null, value }])),
    );
  }

  open(card: string | null): void {
    this.url.set("card", card ?? undefined, { push: true });
  }

  isOpen(section: string): boolean {
    return !this.#closed.has(section);
  }

  toggle(section: string): void {
    const closed = new Set(this.#closed);
    if (!closed.delete(section)) closed.add(section);
    this.url.set("closed", closed.size > 0 ? JSON.stringify([...closed]) : undefined);
  }

  #keep(windows: Readonly<Record<string, CardWindow>>): void {
    this.url.set("cards", serialiseWindows(windows));
  }
}

export function serialiseWindows(windows: Readonly<Record<string, CardWindow>>): string | undefined {
  const ends = (range: CardRange | null): [number, number] | null => range && [range.from, range.to];
  const stored = Object.entries(windows)
    .filter(([, { along, value }]) => along || value)
    .map(([card, { along, value }]) => [card, [ends(along), ends(value)]]);
  return stored.length > 0 ? JSON.stringify(Object.fromEntries(stored)) : undefined;
}

/** Addresses come from anywhere: what is not understood is left out. */
export function parseWindows(text: string | undefined): Readonly<Record<string, CardWindow>> {
  const stored = parse(text);
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored)
      .filter(([, entry]) => Array.isArray(entry))
      .map(([card, entry]) => [
        card,
        { along: rangeOf((entry as unknown[])[0]), value: rangeOf((entry as unknown[])[1]) },
      ]),
  );
}

function rangeOf(ends: unknown): CardRange | null {
  if (!Array.isArray(ends) || !ends.every(Number.isFinite)) return null;
  const [from, to] = ends as [number, number];
  return from < to ? { from, to } : null;
}

function parseList(text: string | undefined): string[] {
  const list = parse(text);
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
