/** Cards that appear or change together ask together: a request costs the page more than the small answer to it. */

import { asError } from "../base/errors";
import type { SeriesBlock } from "./api";
import { fetchBatch, fetchWindow, type SeriesRequest } from "./series";

interface Ask {
  readonly request: SeriesRequest;
  readonly signal: AbortSignal;
  readonly resolve: (block: SeriesBlock) => void;
  readonly reject: (error: unknown) => void;
}

/** In one request: an answer that takes long holds back the first picture. */
const MOST = 8;

export class SeriesBatcher {
  #waiting: Ask[] = [];

  constructor(private readonly fetch = { one: fetchWindow, batch: fetchBatch }) {}

  ask(request: SeriesRequest, signal: AbortSignal): Promise<SeriesBlock> {
    if (!request.isSmall) return this.fetch.one(request, signal);
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#send());
      this.#waiting.push({ request, signal, resolve, reject });
    });
  }

  #send(): void {
    const asks = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < asks.length; at += MOST) void this.#answer(asks.slice(at, at + MOST));
  }

  async #answer(asks: readonly Ask[]): Promise<void> {
    const [first] = asks as [Ask];
    if (asks.length === 1) return void this.fetch.one(first.request, first.signal).then(first.resolve, first.reject);
    const abort = new AbortController();
    for (const { signal, reject } of asks) {
      signal.addEventListener("abort", () => {
        reject(signal.reason);
        if (asks.every((other) => other.signal.aborted)) abort.abort();
      });
    }
    try {
      const answers = await this.fetch.batch(
        asks.map(({ request }) => request),
        abort.signal,
      );
      asks.forEach((ask, index) => this.#settle(ask, answers[index]!));
    } catch (failure) {
      for (const ask of asks) this.#settle(ask, asError(failure));
    }
  }

  /** What the server failed at, or had no room for, is asked for alone: it spoils nothing for the others. */
  #settle({ request, signal, resolve, reject }: Ask, answer: SeriesBlock | Error): void {
    if (!(answer instanceof Error)) resolve(answer);
    else this.fetch.one(request, signal).then(resolve, reject);
  }
}
