/** How people arranged the cards of Scalars and of Time series, saved on the server. */

import { SectionOrder } from "../../data/section_order.svelte";
import type { SharedSettings } from "../plugin";
import { Pins } from "./pins";

export class CardArrangement {
  readonly order = new SectionOrder();
  readonly pins: Pins;

  constructor(settings: Pick<SharedSettings, "pins">) {
    this.pins = new Pins(settings);
  }

  load(): void {
    void this.order.load();
    void this.pins.load();
  }
}
