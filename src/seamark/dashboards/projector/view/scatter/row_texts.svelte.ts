/** RowTexts: the texts of rows in one column, requested in batches as they are needed. */

import type { ProjectorRequests } from "../load";
import type { EmbeddingRef } from "../wire";

const PAUSE_MS = 60;
const MAX_BATCH = 300;
const MAX_CACHED = 20_000;

export class RowTexts {
  readonly #texts = new Map<number, string>();
  readonly #wanted = new Set<number>();
  #version = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly requests: Pick<ProjectorRequests, "texts">,
    private readonly ref: EmbeddingRef,
    private readonly column: string,
  ) {}

  /** Undefined until it has arrived. */
  get(row: number): string | undefined {
    void this.#version;
    return this.#texts.get(row);
  }

  want(rows: Iterable<number>): void {
    for (const row of rows) if (!this.#texts.has(row) && this.#wanted.size < MAX_BATCH) this.#wanted.add(row);
    if (this.#wanted.size > 0 && this.#timer === undefined) this.#timer = setTimeout(() => void this.#load(), PAUSE_MS);
  }

  async #load(): Promise<void> {
    const rows = [...this.#wanted];
    this.#wanted.clear();
    // Without an answer the labels stay empty; the picture itself says what is wrong.
    const found = await this.requests.texts(this.ref, rows, [this.column]).catch(() => null);
    if (this.#texts.size > MAX_CACHED) this.#texts.clear();
    for (const [at, row] of rows.entries()) this.#texts.set(row, found?.values[at]?.[0] ?? "");
    this.#version += 1;
    this.#timer = undefined;
    this.want([]);
  }
}
