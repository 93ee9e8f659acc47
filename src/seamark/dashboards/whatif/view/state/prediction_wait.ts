/** PredictionWait: holds requests back until models have predicted all rows, because the server could not answer them. */

const ASK_AGAIN_MS = 1000;

export class PredictionWait {
  readonly #waiting = new Set<() => void>();

  /** `isPredicting` says whether one of these models, by name, is still predicting; "" is the first one. */
  constructor(
    private readonly isPredicting: (models: readonly string[]) => boolean,
    private readonly onTooEarly: () => void,
  ) {}

  /** To be called whenever the models may have come further. */
  update(): void {
    for (const check of [...this.#waiting]) check();
  }

  /** Calls `send` once the models are ready, and again after a while if the server says that they are not. */
  async send<Value>(models: readonly string[], send: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    while (true) {
      await this.#whenReady(models, signal);
      try {
        return await send();
      } catch (failure) {
        if ((failure as { code?: string } | null)?.code !== "unavailable" || signal?.aborted) throw failure;
      }
      this.onTooEarly();
      await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    }
  }

  #whenReady(models: readonly string[], signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (!signal?.aborted && this.isPredicting(models)) return;
        this.#waiting.delete(check);
        signal?.removeEventListener("abort", check);
        if (signal?.aborted) reject(signal.reason as Error);
        else resolve();
      };
      this.#waiting.add(check);
      signal?.addEventListener("abort", check);
      check();
    });
  }
}
