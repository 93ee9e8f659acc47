/** Runs one action at a time: while one runs, only the newest request waits. */

export class LatestOnly<Request> {
  #isRunning = false;
  #next: { request: Request } | undefined;

  constructor(
    private readonly act: (request: Request) => Promise<void>,
    private readonly pauseMs = 0,
  ) {}

  run(request: Request): void {
    this.#next = { request };
    if (!this.#isRunning) void this.#runAll();
  }

  /** Drops the waiting request; the running one finishes. */
  cancel(): void {
    this.#next = undefined;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#next) {
      const { request } = this.#next;
      this.#next = undefined;
      try {
        await this.act(request);
      } catch (error) {
        reportError(error); // a request that throws must not stop those after it
      }
      if (this.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    }
    this.#isRunning = false;
  }
}
