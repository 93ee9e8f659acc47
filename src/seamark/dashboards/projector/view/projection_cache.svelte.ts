/** ProjectionCache: pictures that were loaded, by request, so that going from step to step waits for nothing. */

import { SvelteMap } from "svelte/reactivity";
import { untrack } from "svelte";
import type { Projection, ProjectionRequest } from "./wire";

const MAX_BYTES = 128 << 20;

export class ProjectionCache {
  /** The least recently added first. */
  readonly #found = new SvelteMap<string, Projection>();

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** Reactive. */
  get(request: ProjectionRequest): Projection | null {
    return this.#found.get(JSON.stringify(request)) ?? null;
  }

  /** Only a picture that will not change is cached. The oldest ones make room; one that is larger than the limit is not cached. */
  add(request: ProjectionRequest, projection: Projection): void {
    if (projection.state !== "done" || bytesOf(projection) > this.maxBytes) return;
    untrack(() => {
      const key = JSON.stringify(request);
      this.#found.delete(key);
      this.#found.set(key, projection);
      let total = 0;
      for (const one of this.#found.values()) total += bytesOf(one);
      for (const [oldest, one] of this.#found) {
        if (total <= this.maxBytes) break;
        this.#found.delete(oldest);
        total -= bytesOf(one);
      }
    });
  }

  /** How many pictures like this one fit. */
  capacityFor(projection: Projection): number {
    return Math.floor(this.maxBytes / Math.max(1, bytesOf(projection)));
  }

  clear(): void {
    this.#found.clear();
  }
}

const bytesOf = ({ x, y, z }: Projection): number => x.byteLength + y.byteLength + (z?.byteLength ?? 0);
