/** What the server knows, kept fresh: runs, tags, progress, and a revision per tag that grows when its data does. */

import { SvelteMap } from "svelte/reactivity";
import { fetchProblems, fetchProgress, fetchRuns, fetchScalarTags, type Counts, type Problem, type Progress, type Run, type TagEntry } from "./api";
import { Latest } from "./latest";
import { Live, type Change } from "./live";

const CATALOGUE_PAUSE_MS = 250;

export class Session {
  runs = $state.raw<readonly Run[]>([]);
  scalars = $state.raw<readonly TagEntry[]>([]);
  problems = $state.raw<readonly Problem[]>([]);
  roots = $state.raw<Progress["roots"]>([]);
  /** Moves while the first reading goes on. */
  progress = $state.raw<Counts | null>(null);
  /** The lists above were asked for after the first reading had ended: what is not in them is not there. */
  isComplete = $state(false);
  error = $state("");
  connected = $state(false);
  /** When the last change came, in milliseconds of this browser's clock. */
  changedAt = $state(0);
  readonly #revisions = new SvelteMap<string, number>();
  #epoch = $state(0);
  readonly #catalogue = new Latest<void>(() => this.#readCatalogue(), CATALOGUE_PAUSE_MS);
  readonly #live = new Live({
    onOpen: () => {
      this.connected = true;
      this.#refreshAll();
    },
    onLost: () => (this.connected = false),
    onProgress: (progress) => {
      this.progress = progress;
      if (!progress.loading) this.#catalogue.ask();
    },
    onChange: (change) => this.#apply(change),
  });

  start(): void {
    this.#catalogue.ask();
    this.#live.open();
  }

  stop(): void {
    this.#catalogue.cancel();
    this.#live.close();
  }

  retry(): void {
    this.error = "";
    this.#refreshAll();
  }

  /** Reading it makes a chart redraw when this tag's data changed. */
  revisionOf(tag: string): number {
    return this.#epoch + (this.#revisions.get(tag) ?? 0);
  }

  #apply(change: Change): void {
    this.changedAt = Date.now();
    if (change.resync) return this.#refreshAll();
    for (const tag of change.tags) this.#revisions.set(tag, (this.#revisions.get(tag) ?? 0) + 1);
    this.#catalogue.ask();
  }

  #refreshAll(): void {
    this.#epoch += 1;
    this.#catalogue.ask();
  }

  async #readCatalogue(): Promise<void> {
    try {
      // First: when it says that all is read, the lists that follow hold all.
      const { roots, ...progress } = await fetchProgress();
      const [runs, scalars, problems] = await Promise.all([fetchRuns(), fetchScalarTags(), fetchProblems()]);
      this.roots = roots;
      this.progress = progress;
      this.isComplete = !progress.loading;
      this.runs = runs;
      this.scalars = scalars;
      this.problems = problems;
      this.error = "";
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
  }
}
