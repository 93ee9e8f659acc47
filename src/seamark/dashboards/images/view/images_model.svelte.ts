/** What people chose on the page of images: all of it is in the address, so that a copied link shows the same. */

import { type BoardContext, CardSteps, runCards } from "$public/boards";
import { type DashboardContext, ImageSeriesCache, type PickedImage } from "$public/core";
import { createContext } from "svelte";
import { asText, filterOf, parseLight, parsePicked } from "./model";
import { Player } from "./player.svelte";

export type CompareMode = "side" | "swipe" | "blink" | "difference";
export const MODES: readonly { readonly mode: CompareMode; readonly label: string }[] = [
  { mode: "side", label: "Side by side" },
  { mode: "swipe", label: "Swipe" },
  { mode: "blink", label: "Blink" },
  { mode: "difference", label: "Difference" },
];

export const [getImages, setImages] = createContext<ImagesModel>();

export class ImagesModel {
  /** The image under the pointer or the keyboard, for shortcuts. */
  at = $state.raw<PickedImage | null>(null);
  /** The first image of a comparison whose second one is not chosen yet. */
  chosen = $state.raw<PickedImage | null>(null);
  readonly context: DashboardContext;
  readonly series: ImageSeriesCache;
  readonly steps: CardSteps;
  readonly player = new Player();

  constructor(board: BoardContext<DashboardContext>) {
    this.context = board.context;
    this.series = new ImageSeriesCache(board.context);
    this.steps = new CardSteps(board.context.url, board.cards);
  }

  readonly brightness = $derived.by(() => parseLight(this.context.url.get("brightness")));
  readonly contrast = $derived.by(() => parseLight(this.context.url.get("contrast")));
  readonly filter = $derived.by(() => filterOf({ brightness: this.brightness, contrast: this.contrast }));
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

  toggle(name: "actual" | "smooth"): void {
    this.context.url.set(name, this[name] ? undefined : "1");
  }

  toggleLinked(): void {
    this.player.stop();
    this.steps.toggleLinked();
  }

  stepOf(run: string, tag: string): number | null {
    return this.steps.of(runCards.key(tag, run));
  }

  setStep(run: string, tag: string, step: number | null): void {
    this.steps.set(runCards.key(tag, run), step);
  }

  showGrid(tag: string | null): void {
    this.player.stop();
    this.context.url.set("grid", tag ?? undefined, { push: true });
  }

  open(picked: PickedImage | null): void {
    this.player.stop();
    if (picked === null) this.context.url.set("with", undefined);
    this.context.url.set("open", picked ? asText(picked) : undefined, {
      push: (picked === null) !== (this.opened === null),
    });
  }

  compare(picked: PickedImage | null): void {
    this.context.url.set("with", picked ? asText(picked) : undefined);
  }

  /** The first image chosen waits; with the second one the comparison opens. */
  choose(picked: PickedImage): void {
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
