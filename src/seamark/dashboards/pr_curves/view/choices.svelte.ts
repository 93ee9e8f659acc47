/** The steps and the threshold that a person chose, kept in the address. */

import type { DashboardContext } from "$public/core";
import { parseChoices, serialiseChoices, type StepChoice } from "./model";

const NEWEST: StepChoice = { linked: null, each: {} };
const HALF = 0.5;

export class Choices {
  constructor(private readonly context: DashboardContext) {}

  readonly #all = $derived.by(() => parseChoices(this.context.url.get("steps")));
  /** One slider moves the runs of its card together. */
  readonly isLinked = $derived.by(() => this.context.url.get("linked") !== "false");
  readonly threshold = $derived.by(() => {
    const given = this.context.url.get("threshold");
    const number = Number(given ?? HALF);
    return given !== "" && number >= 0 && number <= 1 ? number : HALF;
  });

  of(tag: string): StepChoice {
    return this.#all[tag] ?? NEWEST;
  }

  setStep(tag: string, run: string, step: number): void {
    const choice = this.isLinked
      ? { linked: step, each: {} }
      : { linked: null, each: { ...this.of(tag).each, [run]: step } };
    this.context.url.set("steps", serialiseChoices({ ...this.#all, [tag]: choice }));
  }

  forgetSteps(): void {
    this.context.url.set("steps", undefined);
  }

  get isNewest(): boolean {
    return Object.keys(this.#all).length === 0;
  }

  setLinked(isLinked: boolean): void {
    this.context.url.set("linked", isLinked ? undefined : "false");
  }

  setThreshold(threshold: number): void {
    this.context.url.set("threshold", threshold === HALF ? undefined : String(threshold));
  }
}
