/** One clock that all clips keep to, and one of its own for each: at the same pace, which is in the address. */

import type { DashboardContext } from "$public/core";
import { Clock, RATES, type Pace } from "./clock.svelte";

/** More than are ever on screen. */
const MAX_CLOCKS = 500;

export class Clocks implements Pace {
  readonly shared = new Clock(this);
  /** They outlive their cards: a clip that was scrolled away is where it was when it comes back. */
  readonly #own = new Map<string, Clock>();

  constructor(private readonly context: DashboardContext) {}

  readonly isSynced = $derived.by(() => this.context.url.get("sync") !== "0");
  readonly rate = $derived.by((): number => RATES.find((rate) => String(rate) === this.context.url.get("rate")) ?? 1);
  readonly loops = $derived.by(() => this.context.url.get("once") !== "1");

  of(key: string): Clock {
    if (this.isSynced) return this.shared;
    const clock = this.#own.get(key) ?? new Clock(this);
    this.#own.delete(key);
    this.#own.set(key, clock);
    if (this.#own.size > MAX_CLOCKS) this.#own.delete(this.#own.keys().next().value!);
    return clock;
  }

  setRate(rate: number): void {
    this.context.url.set("rate", rate === 1 ? undefined : String(rate));
  }

  toggleLoops(): void {
    this.context.url.set("once", this.loops ? "1" : undefined);
  }

  toggleSync(): void {
    this.pause();
    this.context.url.set("sync", this.isSynced ? "0" : undefined);
  }

  pause(): void {
    for (const clock of [this.shared, ...this.#own.values()]) clock.pause();
  }
}
