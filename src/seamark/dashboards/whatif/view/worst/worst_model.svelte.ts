/** WorstModel: the worst slices of the set, requested while the card is visible. */

import { Resource } from "$public/core";
import type { WhatIfModel } from "../whatif_model.svelte";
import type { FoundSlice, WorstSlicesBody, WorstSlicesResult } from "../wire";
import { thresholdsBySlice } from "./worst";

export class WorstModel {
  isVisible = $state(false);
  /** The slice under the cursor of the list. */
  at = $state(0);
  readonly #found: Resource<WorstSlicesBody, WorstSlicesResult>;

  constructor(readonly model: WhatIfModel) {
    this.#found = new Resource((body, signal) => model.requests.worstSlices(body, signal), { abortAfterMs: 0 });
    $effect(() => {
      if (this.isVisible && this.body) this.#found.load(this.body);
    });
    $effect(() => () => this.#found.close());
  }

  /** Why there is nothing to search; "" if there is. */
  readonly obstacle = $derived.by(() => {
    const { info, model } = this.model;
    if (!info) return "";
    if (info.target === "") return "Choose a target above: without it nobody knows which predictions are wrong.";
    if (info.task === "ranking") return "A ranking has no error for each row, so there are no slices to compare.";
    return model ? "" : "There are no predictions to check.";
  });

  /** Of all rows, not of the slice: filtering to a found slice must not change the list that one chooses from. */
  readonly body = $derived.by((): WorstSlicesBody | null => {
    const { set, modelName, threshold, info, thresholdSlices } = this.model;
    if (!set || !info || this.obstacle !== "") return null;
    return { ...set, model: modelName, threshold, ...thresholdsBySlice(thresholdSlices) };
  });

  readonly result = $derived.by((): WorstSlicesResult | null => (this.body ? this.#found.value : null));
  readonly error = $derived.by(() => (this.body ? this.#found.error : ""));
  readonly isLoading = $derived.by(() => this.#found.isLoading);

  retry(): void {
    this.#found.retry();
  }

  move(by: number): void {
    const last = (this.result?.slices.length ?? 1) - 1;
    this.at = Math.min(last, Math.max(0, this.at + by));
  }

  /** In place of the conditions before, so that a click on another slice shows that one. */
  filterTo(slice: FoundSlice): void {
    this.model.setConditions(slice.conditions);
  }

  isShown(slice: FoundSlice): boolean {
    return JSON.stringify(slice.conditions) === JSON.stringify(this.model.conditions);
  }
}
