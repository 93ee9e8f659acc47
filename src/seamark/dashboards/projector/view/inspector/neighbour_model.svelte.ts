/** NeighbourModel: the neighbours of the inspected point, and which of them the keys have reached. */

import { Resource, type UrlParams } from "$public/core";
import type { ProjectorRequests } from "../load";
import type { EmbeddingInfo, Metric, Neighbours, NeighboursRequest, Projection, ProjectionRequest } from "../wire";

export const COUNTS = [10, 25, 50, 100] as const;

/** The parts of a ProjectorModel that it takes. */
interface InspectedModel {
  readonly context: { readonly url: UrlParams };
  readonly requests: ProjectorRequests;
  readonly inspected: number | null;
  readonly distance: Metric;
  hovered: number | null;
  readonly pane: {
    readonly projected: ProjectionRequest | null;
    readonly projection: Projection | null;
    readonly info: EmbeddingInfo | null;
  };
}

export class NeighbourModel {
  readonly #neighbours: Resource<NeighboursRequest, Neighbours>;

  constructor(private readonly model: InspectedModel) {
    this.#neighbours = new Resource((request, signal) => model.requests.neighbours(request, signal));
    $effect(() => {
      const { projection } = model.pane;
      if (this.#request) this.#neighbours.load(this.#request, projection?.state ?? "");
    });
  }

  readonly count = $derived.by(() => COUNTS.find((one) => String(one) === this.model.context.url.get("k")) ?? 10);

  setCount(count: number): void {
    this.model.context.url.set("k", count === 10 ? undefined : String(count));
  }

  readonly #request = $derived.by((): NeighboursRequest | null => {
    const { inspected, pane, distance } = this.model;
    const { projected, info } = pane;
    if (inspected === null || !projected || !info || inspected >= info.rows) return null;
    return { ...projected, row: inspected, count: this.count, distance };
  });
  /** Null while they load. */
  readonly value = $derived.by((): Neighbours | null => {
    const { loaded } = this.#neighbours;
    const request = this.#request;
    const isWanted =
      loaded?.request.row === request?.row &&
      loaded?.request.run === request?.run &&
      loaded?.request.name === request?.name &&
      loaded?.request.distance === request?.distance;
    return request && isWanted ? (loaded?.value ?? null) : null;
  });
  readonly error = $derived.by(() => (this.#request ? this.#neighbours.error : ""));

  retry(): void {
    this.#neighbours.retry();
  }

  /** Highlights the next or the previous neighbour, in the list and in the pictures. */
  step(by: 1 | -1): void {
    const rows = this.value?.rows ?? [];
    if (rows.length === 0) return;
    const at = rows.indexOf(this.model.hovered ?? -1);
    const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by;
    this.model.hovered = rows[(next + rows.length) % rows.length]!;
  }

  /** The neighbour that is highlighted. */
  readonly current = $derived.by((): number | null => {
    const { hovered } = this.model;
    return hovered !== null && this.value?.rows.includes(hovered) ? hovered : null;
  });
}
