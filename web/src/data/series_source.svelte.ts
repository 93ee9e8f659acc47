/** The series of one card: what is shown stays until newer has come, one question is under way, the newest wish is next. */

import { messageOf } from "../base/errors";
import { covers, keyOf, SeriesCache, type Kept, type SeriesWish } from "./series";
import { SeriesAsks } from "./series_asks";

const cache = new SeriesCache();
const asks = new SeriesAsks();
/** New points may come many times a second; this often a card asks for them. */
const PAUSE_MS = 100;
/** An answer that nobody waits for any more is let come if it is near, for the picture in between. */
const PATIENCE_MS = 300;

interface Question {
  readonly wish: SeriesWish;
  readonly revision: number;
}

export class SeriesSource {
  kept = $state.raw<Kept | null>(null);
  error = $state("");
  #next: Question | undefined;
  #running: { readonly question: Question; readonly abort: AbortController } | undefined;
  #impatience: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  ask(wish: SeriesWish, revision: number): void {
    const known = isFresh(this.kept, wish, revision) ? this.kept : cache.get(wish, revision);
    if (known) {
      this.#drop();
      this.kept = known;
      this.error = "";
      return;
    }
    if (this.#running) {
      const { question, abort } = this.#running;
      if (question.revision === revision && keyOf(question.wish) === keyOf(wish) && sameRuns(question.wish, wish))
        return;
      this.#next = { wish, revision };
      this.#impatience ??= setTimeout(() => abort.abort(), PATIENCE_MS);
      return;
    }
    this.#next = { wish, revision };
    void this.#run();
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #drop(): void {
    this.#next = undefined;
    this.#running?.abort.abort();
  }

  async #run(): Promise<void> {
    while (this.#next && !this.#closed) {
      const question = this.#next;
      const abort = new AbortController();
      this.#next = undefined;
      this.#running = { question, abort };
      await this.#answer(question, abort.signal);
      clearTimeout(this.#impatience);
      this.#impatience = undefined;
      // A live series is asked for again and again: at a pace. Anything else at once.
      const next = this.#next as Question | undefined;
      if (next && keyOf(next.wish) === keyOf(question.wish))
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      this.#running = undefined;
    }
  }

  async #answer({ wish, revision }: Question, signal: AbortSignal): Promise<void> {
    try {
      const kept = { wish, revision, block: await asks.ask(wish, signal) };
      cache.put(kept);
      if (signal.aborted || this.#closed) return;
      this.kept = kept;
      this.error = "";
    } catch (failure) {
      if (signal.aborted) return;
      this.error = messageOf(failure);
    }
  }
}

function isFresh(kept: Kept | null, wish: SeriesWish, revision: number): kept is Kept {
  return kept !== null && kept.revision === revision && keyOf(kept.wish) === keyOf(wish) && covers(kept, wish.runs);
}

function sameRuns(a: SeriesWish, b: SeriesWish): boolean {
  return (
    a.runs === b.runs ||
    (a.runs !== null &&
      b.runs !== null &&
      a.runs.length === b.runs.length &&
      a.runs.every((run, i) => run === b.runs![i]))
  );
}
