/** The texts of names by id: requested in batches while a person looks at them. */

import type { ProfileRef } from "../../wire";

const MAX_BATCH = 2000;

type FetchNames = (ref: ProfileRef, ids: readonly number[]) => Promise<readonly string[]>;

export class NameCache {
  /** Reactive: changes when texts arrive. */
  version = $state(0);
  #texts = new Map<number, string>();
  #missing = new Set<number>();
  #requested = new Set<number>();
  #profile = "";
  #isScheduled = false;

  constructor(
    private readonly ref: () => ProfileRef | null,
    private readonly fetch: FetchNames,
  ) {}

  /** "" until it is there; the next batch has it. */
  get(id: number): string {
    const text = this.#texts.get(id);
    if (text !== undefined) return text;
    if (!this.#requested.has(id)) {
      this.#missing.add(id);
      this.#schedule();
    }
    return "";
  }

  /** Forgets everything when another profile is shown. */
  use({ run, capture, host }: ProfileRef): void {
    const profile = JSON.stringify([run, capture, host]);
    if (profile === this.#profile) return;
    this.#profile = profile;
    this.#texts = new Map();
    this.#missing.clear();
    this.#requested = new Set();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => void this.#load());
  }

  async #load(): Promise<void> {
    this.#isScheduled = false;
    const ref = this.ref();
    const ids = [...this.#missing].slice(0, MAX_BATCH);
    if (!ref || ids.length === 0) return;
    const [texts, requested] = [this.#texts, this.#requested];
    for (const id of ids) {
      this.#missing.delete(id);
      requested.add(id);
    }
    if (this.#missing.size > 0) this.#schedule();
    try {
      const names = await this.fetch(ref, ids);
      ids.forEach((id, index) => texts.set(id, names[index] ?? ""));
      if (texts === this.#texts) this.version += 1;
    } catch {
      // The picture goes without these names; the next paint requests them again.
      for (const id of ids) requested.delete(id);
    }
  }
}
