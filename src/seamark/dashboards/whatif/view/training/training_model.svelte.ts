/** TrainingModel: how the predictions of the same examples change from step to step. */

import { Resource } from "$public/core";
import type { WhatIfModel } from "../whatif_model.svelte";
import type { TrackedExample, TrainingBody, TrainingResult } from "../wire";

export type TrackedList = "forgotten" | "flips" | "hardest";
export const LISTS: readonly (readonly [TrackedList, string])[] = [
  ["forgotten", "Forgotten"],
  ["flips", "Flips"],
  ["hardest", "Hardest"],
];

export class TrainingModel {
  readonly #training: Resource<TrainingBody, TrainingResult>;

  constructor(private readonly page: WhatIfModel) {
    this.#training = new Resource((body, signal) => page.requests.post("training", body, signal));
    $effect(() => {
      const { set, info, filter, threshold, performance } = page;
      if (!set || !info || info.steps.length < 2) return;
      const body = { ...set, step: -1, filter, slice_by: performance.sliceBy, threshold };
      this.#training.load(body, `${info.content_id} ${info.steps.length}`);
    });
  }

  readonly result = $derived.by((): TrainingResult | null => this.#training.value);
  readonly error = $derived.by(() => this.#training.error);

  retry(): void {
    this.#training.retry();
  }

  readonly list = $derived.by((): TrackedList => {
    const name = this.page.context.url.get("examples");
    return LISTS.find(([list]) => list === name)?.[0] ?? "forgotten";
  });

  setList(list: TrackedList): void {
    this.page.context.url.set("examples", list === "forgotten" ? undefined : list);
  }

  readonly examples = $derived.by((): readonly TrackedExample[] => {
    const result = this.result;
    if (!result) return [];
    return { forgotten: result.most_forgotten, flips: result.most_flips, hardest: result.hardest }[this.list];
  });
}
