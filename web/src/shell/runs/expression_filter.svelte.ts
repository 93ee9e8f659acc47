/** The runs that an expression matches, as the server says. What matched before stays until the answer has come. */

import { Latest } from "../../data/latest";
import { fetchColumns, fetchTable } from "../../data/table";

const PAUSE_MS = 1000;

interface Found {
  readonly names: ReadonlySet<string>;
  /** Runs whose parameters and metrics belong to another's row. */
  readonly folded: Readonly<Record<string, string>>;
}

export class ExpressionFilter {
  error = $state.raw<Error | null>(null);
  #found = $state.raw<Found | null>(null);
  #query = "";
  #revision = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ask = new Latest<string>(async (query) => {
    try {
      const [{ runs }, { folded }] = await Promise.all([fetchTable({ query, columns: [], archived: "show" }), fetchColumns()]);
      if (query !== this.#query) return;
      this.#found = { names: new Set(runs), folded };
      this.error = null;
    } catch (failure) {
      if (query === this.#query) this.error = failure instanceof Error ? failure : new Error(String(failure));
    }
  });

  /** "" when there is nothing to ask. Another query is asked at once, newer data at a pace. */
  ask(query: string, revision: string): void {
    const isNew = query !== this.#query;
    if (!isNew && revision === this.#revision) return;
    [this.#query, this.#revision] = [query, revision];
    if (isNew || query === "") clearTimeout(this.#timer);
    if (query === "") {
      this.#timer = undefined;
      [this.#found, this.error] = [null, null];
    } else if (isNew) this.#ask.ask(query);
    else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#ask.ask(this.#query);
      }, PAUSE_MS);
    }
  }

  /** Before the first answer nothing matches, so that no chart draws all runs for a moment; when there is none, everything does. */
  matches(run: string): boolean {
    if (!this.#found) return this.error !== null;
    const { names, folded } = this.#found;
    return names.has(run) || (Object.hasOwn(folded, run) && names.has(folded[run]!));
  }
}
