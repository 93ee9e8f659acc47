/** The series of one card: what is shown stays until newer has come, one question is under way, the newest request is next. */

import { messageOf } from "../base/errors";
import { covers, keyOf, SeriesCache, type CachedSeries, type SeriesRequest } from "./series";
import { SeriesBatcher } from "./series_batcher";

const cache = new SeriesCache();
const asks = new SeriesBatcher();
/** New points may come many times a second; this often a card asks for them. */
const PAUSE_MS = 100;
/** An answer that nobody waits for any more is let come if it is near, for the picture in between. */
const PATIENCE_MS = 300;

interface Question {
  readonly request: SeriesRequest;
  readonly revision: number;
}

export class SeriesSource {
  kept = $state.raw<CachedSeries | null>(null);
  error = $state("");
  #next: Question | undefined;
  #running: { readonly question: Question; readonly abort: AbortController } | undefined;
  #impatience: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  ask(request: SeriesRequest, revision: number): void {
    const known = isFresh(this.kept, request, revision) ? this.kept : cache.get(request, revision);
    if (known) {
      this.#drop();
      this.kept = known;
      this.error = "";
      return;
    }
    if (this.#running) {
      const { question, abort } = this.#running;
      if (
        question.revision === revision &&
        keyOf(question.request) === keyOf(request) &&
        sameRuns(question.request, request)
      )
        return;
      this.#next = { request, revision };
      this.#impatience ??= setTimeout(() => abort.abort(), PATIENCE_MS);
      return;
    }
    this.#next = { request, revision };
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
      if (next && keyOf(next.request) === keyOf(question.request))
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      this.#running = undefined;
    }
  }

  async #answer({ request, revision }: Question, signal: AbortSignal): Promise<void> {
    try {
      const kept = { request, revision, block: await asks.ask(request, signal) };
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

function isFresh(kept: CachedSeries | null, request: SeriesRequest, revision: number): kept is CachedSeries {
  return (
    kept !== null && kept.revision === revision && keyOf(kept.request) === keyOf(request) && covers(kept, request.runs)
  );
}

function sameRuns(a: SeriesRequest, b: SeriesRequest): boolean {
  return (
    a.runs === b.runs ||
    (a.runs !== null &&
      b.runs !== null &&
      a.runs.length === b.runs.length &&
      a.runs.every((run, i) => run === b.runs![i]))
  );
}
