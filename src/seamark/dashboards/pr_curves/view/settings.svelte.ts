/** The steps and the threshold that people chose, in the address. */

import type { BoardContext } from "$public/boards";
import type { DashboardContext } from "$public/core";
import { parseSteps, type StepChoice } from "./model";

const DEFAULT_THRESHOLD = 0.5;

export class CurveSettings {
  constructor(private readonly board: BoardContext<DashboardContext>) {}

  get #url() {
    return this.board.context.url;
  }

  /** One slider moves all runs of its card. */
  readonly isLinked = $derived.by(() => this.#url.get("linked") !== "false");
  readonly isNewest = $derived.by(() => !this.board.cards.has("step"));
  readonly threshold = $derived.by(() => {
    const given = this.#url.get("threshold");
    const number = Number(given ?? DEFAULT_THRESHOLD);
    return given !== "" && number >= 0 && number <= 1 ? number : DEFAULT_THRESHOLD;
  });

  stepsOf(tag: string): StepChoice {
    return parseSteps(this.board.cards.of(tag).step);
  }

  setStep(tag: string, run: string, step: number): void {
    this.board.cards.change(tag, { step: this.isLinked ? step : { ...this.stepsOf(tag).each, [run]: step } });
  }

  clearSteps(): void {
    this.board.cards.clear("step");
  }

  toggleLinked(): void {
    this.#url.set("linked", this.isLinked ? "false" : undefined);
  }

  setThreshold(threshold: number): void {
    this.#url.set("threshold", threshold === DEFAULT_THRESHOLD ? undefined : String(threshold));
  }
}
