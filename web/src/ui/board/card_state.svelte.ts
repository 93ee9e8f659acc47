/** What people set on single cards, in the address: only what differs from a card's defaults. */

import { parseJson } from "../../base/json";
import type { AddressParams } from "./host";

export type CardFields = Readonly<Record<string, unknown>>;

export interface CardRange {
  readonly from: number;
  readonly to: number;
}

type Cards = ReadonlyMap<string, CardFields>;
const NO_FIELDS: CardFields = {};

export class CardState {
  readonly #parse = cardParser();
  readonly #cards = $derived.by(() => this.#parse(this.url.get(this.name)));

  constructor(
    private readonly url: AddressParams,
    private readonly name = "cards",
  ) {}

  /** The same object until a field of this card changes. Addresses come from anywhere: check every field. */
  of(card: string): CardFields {
    return this.#cards.get(card) ?? NO_FIELDS;
  }

  /** Undefined removes a field. */
  change(card: string, change: CardFields): void {
    this.#write(new Map(this.#cards).set(card, { ...this.of(card), ...change }));
  }

  /** Whether a card has this field. */
  has(field: string): boolean {
    return [...this.#cards.values()].some((fields) => field in fields);
  }

  /** Removes a field from every card. */
  clear(field: string): void {
    this.#write(new Map([...this.#cards].map(([card, fields]) => [card, { ...fields, [field]: undefined }])));
  }

  #write(cards: Cards): void {
    const text = JSON.stringify(Object.fromEntries([...cards].filter(([, fields]) => !isEmpty(fields))));
    this.url.set(this.name, text === "{}" ? undefined : text);
  }
}

const isEmpty = (fields: CardFields): boolean => Object.values(fields).every((value) => value === undefined);

/** Parses a text once for all cards, and returns the previous object of each card whose fields are the same. */
function cardParser(): (text: string | undefined) => Cards {
  let last: string | undefined;
  let cards = new Map<string, CardFields>();
  return (text) => {
    if (text === last) return cards;
    last = text;
    const before = cards;
    cards = new Map(
      fieldsOf(parseJson(text)).map(([card, fields]) => {
        const known = before.get(card);
        return [card, known && JSON.stringify(known) === JSON.stringify(fields) ? known : fields];
      }),
    );
    return cards;
  };
}

function fieldsOf(stored: unknown): [string, CardFields][] {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return [];
  return Object.entries(stored).filter(([, fields]) => typeof fields === "object" && fields !== null);
}

/** A field that holds [from, to]. */
export function rangeOf(field: unknown): CardRange | null {
  if (!Array.isArray(field) || field.length !== 2 || !field.every(Number.isFinite)) return null;
  const [from, to] = field as [number, number];
  return from < to ? { from, to } : null;
}

export const rangeField = (range: CardRange | null): [number, number] | undefined =>
  range ? [range.from, range.to] : undefined;

/** A field that holds a number. */
export const numberOf = (field: unknown): number | undefined =>
  typeof field === "number" && Number.isFinite(field) ? field : undefined;
