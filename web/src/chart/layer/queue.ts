/** Who is drawn next: one job in flight for each card, few for each worker, cards on screen first, the newest wish only. */

export interface Job {
  readonly visible: boolean;
}

export class JobQueue<Card extends Job> {
  readonly #waiting = new Set<Card>();
  readonly #running = new Set<Card>();
  #scheduled = false;

  /** With two slots a worker finds its next job when it ends one, without waiting for the page. */
  constructor(
    private readonly start: (card: Card) => void,
    private readonly slots = 2,
  ) {}

  /** Wishes of one turn of the event loop become one job. */
  ask(card: Card): void {
    this.#waiting.add(card);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#startSome();
    });
  }

  done(card: Card): void {
    if (this.#running.delete(card)) this.#startSome();
  }

  drop(card: Card): void {
    this.#waiting.delete(card);
    this.done(card);
  }

  #startSome(): void {
    while (this.#running.size < this.slots) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      this.#running.add(next);
      this.start(next);
    }
  }

  #next(): Card | undefined {
    let hidden: Card | undefined;
    for (const card of this.#waiting) {
      if (this.#running.has(card)) continue;
      if (card.visible) return card;
      hidden ??= card;
    }
    return hidden;
  }
}
