/** How high cards are that decide it themselves: measured once they were on the screen, guessed by their kind before. */

import { cardKey, type CardId } from "$public/charts";

export class Heights {
  #known = $state.raw<ReadonlyMap<string, number>>(new Map());

  of(card: CardId, usual: number): number {
    return this.#known.get(cardKey(card)) ?? this.#known.get(card.kind) ?? usual;
  }

  /** Whether anything changed. */
  measured(card: CardId, height: number): boolean {
    if (height <= 0 || this.#known.get(cardKey(card)) === height) return false;
    this.#known = new Map(this.#known).set(cardKey(card), height).set(card.kind, height);
    return true;
  }
}
