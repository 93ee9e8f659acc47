/** Small requests of the same moment become one: a request costs the page more than its small response. */

import { asError } from "../base/errors";
import type { SeriesBlock } from "./api";
import { fetchBatch, fetchWindow, type SeriesRequest } from "./series";

interface Waiting {
  readonly request: SeriesRequest;
  readonly signal: AbortSignal;
  readonly resolve: (block: SeriesBlock) => void;
  readonly reject: (error: unknown) => void;
}

/** A response that takes long delays the first picture. */
const MAX_BATCH = 8;

export class SeriesBatcher {
  #waiting: Waiting[] = [];

  constructor(private readonly fetch = { one: fetchWindow, batch: fetchBatch }) {}

  load(request: SeriesRequest, signal: AbortSignal): Promise<SeriesBlock> {
    if (!request.isSmall) return this.fetch.one(request, signal);
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#send());
      this.#waiting.push({ request, signal, resolve, reject });
    });
  }

  #send(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < batch.length; at += MAX_BATCH) void this.#answer(batch.slice(at, at + MAX_BATCH));
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch as [Waiting];
    if (batch.length === 1) return void this.fetch.one(first.request, first.signal).then(first.resolve, first.reject);
    const abort = new AbortController();
    for (const { signal, reject } of batch) {
      signal.addEventListener("abort", () => {
        reject(signal.reason);
        if (batch.every((other) => other.signal.aborted)) abort.abort();
      });
    }
    try {
      const answers = await this.fetch.batch(
        batch.map(({ request }) => request),
        abort.signal,
      );
      batch.forEach((waiting, index) => this.#settle(waiting, answers[index]!));
    } catch (failure) {
      for (const waiting of batch) this.#settle(waiting, asError(failure));
    }
  }

  /** What the server failed at, or had no room for, is requested alone. */
  #settle({ request, signal, resolve, reject }: Waiting, answer: SeriesBlock | Error): void {
    if (!(answer instanceof Error)) resolve(answer);
    else this.fetch.one(request, signal).then(resolve, reject);
  }
}
