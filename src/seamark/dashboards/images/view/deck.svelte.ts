/** What a person did to the images: all of it is in the address, so a copied link shows the same. */

import type { DashboardContext } from "$public/core";
import {
  asText,
  filterOf,
  keyOf,
  parseLight,
  parseNames,
  parsePicked,
  parseSteps,
  serialiseSteps,
  type Picked,
} from "./model";
import { Player } from "./player.svelte";
import { Library } from "./series.svelte";

export type CompareMode = "side" | "swipe" | "blink" | "difference";
export const MODES: readonly { readonly mode: CompareMode; readonly label: string }[] = [
  { mode: "side", label: "Side by side" },
  { mode: "swipe", label: "Swipe" },
  { mode: "blink", label: "Blink" },
  { mode: "difference", label: "Difference" },
];

export class Deck {
  /** The card under the pointer or the keyboard, for shortcuts. */
  at = $state.raw<Picked | null>(null);
  scrolling = $state(false);
  /** Chosen for a comparison that waits for its second picture. */
  chosen = $state.raw<Picked | null>(null);
  readonly library: Library;
  readonly player = new Player();

  constructor(private readonly context: DashboardContext) {
    this.library = new Library(context);
  }

  readonly #closed = $derived.by(() => new Set(parseNames(this.context.url.get("closed"))));
  readonly #steps = $derived.by(() => parseSteps(this.context.url.get("steps")));
  /** All cards show the same step. */
  readonly linked = $derived.by(() => this.context.url.get("linked") === "1");
  readonly linkedStep = $derived.by(() => {
    const step = Number(this.context.url.get("step") ?? NaN);
    return Number.isSafeInteger(step) ? step : null;
  });
  readonly brightness = $derived.by(() => parseLight(this.context.url.get("brightness")));
  readonly contrast = $derived.by(() => parseLight(this.context.url.get("contrast")));
  readonly filter = $derived(filterOf({ brightness: this.brightness, contrast: this.contrast }));
  /** One pixel of the image is one of the screen. */
  readonly actual = $derived.by(() => this.context.url.get("actual") === "1");
  /** Enlarged pixels are blurred instead of square. */
  readonly smooth = $derived.by(() => this.context.url.get("smooth") === "1");
  /** The tag whose runs and steps are shown as a grid. */
  readonly gridTag = $derived.by(() => this.context.url.get("grid") ?? null);
  readonly opened = $derived.by(() => parsePicked(this.context.url.get("open")));
  readonly other = $derived.by(() => parsePicked(this.context.url.get("with")));
  readonly mode = $derived.by(
    (): CompareMode => MODES.find(({ mode }) => mode === this.context.url.get("mode"))?.mode ?? "side",
  );

  set(name: "brightness" | "contrast", value: number): void {
    this.context.url.set(name, value === 1 ? undefined : String(value));
  }

  toggle(name: "linked" | "actual" | "smooth"): void {
    this.context.url.set(name, this[name] ? undefined : "1");
    if (name === "linked") this.player.stop();
  }

  isOpen(section: string): boolean {
    return !this.#closed.has(section);
  }

  toggleSection(section: string): void {
    const closed = new Set(this.#closed);
    if (!closed.delete(section)) closed.add(section);
    this.context.url.set("closed", closed.size > 0 ? JSON.stringify([...closed]) : undefined);
  }

  /** The step a card shows; null is the newest. */
  stepOf(run: string, tag: string): number | null {
    return this.linked ? this.linkedStep : (this.#steps.get(keyOf(run, tag)) ?? null);
  }

  /** Moves a card, and with it all others while they are linked. */
  setStep(run: string, tag: string, step: number | null): void {
    if (this.linked) return this.setLinkedStep(step);
    const steps = new Map(this.#steps);
    if (step === null) steps.delete(keyOf(run, tag));
    else steps.set(keyOf(run, tag), step);
    this.context.url.set("steps", serialiseSteps(steps));
  }

  setLinkedStep(step: number | null): void {
    this.context.url.set("step", step === null ? undefined : String(step));
  }

  showGrid(tag: string | null): void {
    this.player.stop();
    this.context.url.set("grid", tag ?? undefined, { push: true });
  }

  open(picked: Picked | null): void {
    this.player.stop();
    if (picked === null) this.context.url.set("with", undefined);
    this.context.url.set("open", picked ? asText(picked) : undefined, {
      push: (picked === null) !== (this.opened === null),
    });
  }

  compare(picked: Picked | null): void {
    this.context.url.set("with", picked ? asText(picked) : undefined);
  }

  /** The first picture chosen waits; with the second the comparison opens. */
  choose(picked: Picked): void {
    const first = this.chosen;
    this.chosen = first ? null : picked;
    if (!first) return;
    this.open(first);
    this.compare(picked);
  }

  setMode(mode: CompareMode): void {
    this.context.url.set("mode", mode === "side" ? undefined : mode);
  }
}
