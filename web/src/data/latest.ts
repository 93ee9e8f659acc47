/** One request in flight, the newest wish next: a slider that moves fast asks for what it ended on, not for every stop. */

export class Latest<Wish> {
  #running = false;
  #next: { wish: Wish } | undefined;

  constructor(
    private readonly act: (wish: Wish) => Promise<void>,
    private readonly pauseMs = 0,
  ) {}

  ask(wish: Wish): void {
    this.#next = { wish };
    if (!this.#running) void this.#run();
  }

  /** What waits is dropped; what runs is let finish. */
  cancel(): void {
    this.#next = undefined;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#next) {
      const { wish } = this.#next;
      this.#next = undefined;
      try {
        await this.act(wish);
      } catch (error) {
        reportError(error); // a request that throws must not stop those after it
      }
      if (this.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    }
    this.#running = false;
  }
}
