/** The step that each card shows, in the address: its own, or one for all while they are linked. Null is the newest. */

import type { CardState } from "./card_state.svelte";
import type { AddressParams } from "./host";

export class CardSteps {
  constructor(
    private readonly url: AddressParams,
    private readonly cards: CardState,
  ) {}

  readonly isLinked = $derived.by(() => this.url.get("linked") === "1");
  readonly linkedStep = $derived.by(() => wholeNumber(Number(this.url.get("step") ?? NaN)));

  of(card: string): number | null {
    return this.isLinked ? this.linkedStep : wholeNumber(this.cards.of(card).step);
  }

  /** Moves a card, and with it all others while they are linked. */
  set(card: string, step: number | null): void {
    if (this.isLinked) this.setLinked(step);
    else this.cards.change(card, { step: step ?? undefined });
  }

  setLinked(step: number | null): void {
    this.url.set("step", step === null ? undefined : String(step));
  }

  toggleLinked(): void {
    this.url.set("linked", this.isLinked ? undefined : "1");
  }
}

const wholeNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : null;
