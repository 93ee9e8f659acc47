/** NearModel: the nearest counterfactual of the row as it is in the set, and its nearest neighbours. */

import { Resource } from "$public/core";
import type { WhatIfModel } from "../../whatif_model.svelte";
import type { Counterfactual, CounterfactualBody, NearRow, Neighbours, NeighboursBody } from "../../wire";
import { distanceOfText, textOfDistance, type DistancePreference } from "./distance";

const NEIGHBOURS = 5;

export class NearModel {
  readonly #counterfactual: Resource<CounterfactualBody, Counterfactual>;
  readonly #neighbours: Resource<NeighboursBody, Neighbours>;

  constructor(
    private readonly page: WhatIfModel,
    private readonly threshold: () => number,
  ) {
    const post = page.requests.post.bind(page.requests);
    this.#counterfactual = new Resource((body, signal) => post("counterfactual", body, signal));
    this.#neighbours = new Resource((body, signal) => post("neighbours", body, signal));
    $effect(() => this.#load());
  }

  readonly distance = $derived.by((): DistancePreference => distanceOfText(this.page.context.url.get("distance")));
  readonly counterfactual = $derived.by((): Counterfactual | null => this.#counterfactual.value);
  readonly counterfactualError = $derived.by(() => this.#counterfactual.error);
  /** The row of the counterfactual. */
  readonly near = $derived.by((): NearRow | null => this.counterfactual?.near ?? null);
  readonly showsNeighbours = $derived.by(() => this.page.context.url.get("neighbours") === "1");
  readonly neighbours = $derived.by((): Neighbours | null => (this.showsNeighbours ? this.#neighbours.value : null));
  readonly neighboursError = $derived.by(() => this.#neighbours.error);

  setDistance(distance: DistancePreference): void {
    this.page.context.url.set("distance", textOfDistance(distance));
  }

  toggleNeighbours(): void {
    this.page.context.url.set("neighbours", this.showsNeighbours ? undefined : "1");
  }

  /** Selects the row of the counterfactual. */
  select(): void {
    if (this.near) this.page.selectRow(this.near.row);
  }

  #load(): void {
    const { set, row, info, filter } = this.page;
    if (!set || row === null || !info) return;
    const { norm, standardize, fixed, minDifference } = this.distance;
    const body = {
      ...set,
      model: this.page.modelName,
      row,
      threshold: this.threshold(),
      distance: { norm, standardize },
      filter,
    };
    if (this.page.model) this.#counterfactual.load({ ...body, fixed, min_difference: minDifference });
    if (this.showsNeighbours) this.#neighbours.load({ ...body, count: NEIGHBOURS });
  }
}
