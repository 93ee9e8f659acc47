/** The cards that people pinned: in the address, and on the server for the next visit. */

import { fetchPins, savePins } from "../../data/saved_state";
import type { Pin, SharedSettings } from "../plugin";

interface PinnedCard {
  readonly kind: string;
  readonly tag: string;
}

export class Pins {
  constructor(private readonly settings: Pick<SharedSettings, "pins">) {}

  has(card: PinnedCard): boolean {
    return this.settings.pins.some((pin) => isPinOf(pin, card));
  }

  toggle(card: PinnedCard): void {
    const others = this.settings.pins.filter((pin) => !isPinOf(pin, card));
    const pins = this.has(card) ? others : [...others, { plugin: card.kind, tag: card.tag }];
    this.settings.pins = pins;
    void savePins(pins);
  }

  /** An address without pins shows those of the last visit. */
  async load(): Promise<void> {
    if (this.settings.pins.length > 0) return;
    const pins = (await fetchPins()).filter(isPin);
    if (pins.length > 0 && this.settings.pins.length === 0) this.settings.pins = pins;
  }
}

const isPin = (pin: unknown): pin is Pin =>
  typeof pin === "object" &&
  pin !== null &&
  "plugin" in pin &&
  "tag" in pin &&
  typeof pin.plugin === "string" &&
  typeof pin.tag === "string";
const isPinOf = (pin: Pin, { kind, tag }: PinnedCard): boolean => pin.plugin === kind && pin.tag === tag;
