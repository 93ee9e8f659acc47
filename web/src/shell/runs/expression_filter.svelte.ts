/** The runs that an expression matches, as the server says. What matched before stays until the answer has come. */

import { asError } from "../../base/errors";
import { LatestOnly } from "../../data/latest_only";
import { fetchColumns, fetchTable } from "../../data/table";

const PAUSE_MS = 1000;
/** While the table of all runs is looked at, its rows come first; the charts are not on screen. */
const BEHIND_MS = 300;

export class ExpressionFilter {
  error = $state.raw<Error | null>(null);
  #names = $state.raw<ReadonlySet<string> | null>(null);
  /** Runs whose parameters and metrics belong to another's row. */
  #mergedInto = $state.raw<Readonly<Record<string, string>>>({});
  #mergedIntoAt: string | null = null;
  #query = "";
  #revision = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ask = new LatestOnly<string>(async (query) => {
    try {
      const { runs } = await fetchTable({ query, columns: [], archived: "show" });
      if (query !== this.#query) return;
      this.#names = new Set(runs);
      this.error = null;
      await this.#readFolded();
    } catch (failure) {
      if (query === this.#query) this.error = asError(failure);
    }
  });

  /** Another query folds no other runs: this is asked once for the same data. */
  async #readFolded(): Promise<void> {
    const revision = this.#revision;
    if (this.#mergedIntoAt === revision) return;
    this.#mergedInto = (await fetchColumns()).merged_into;
    this.#mergedIntoAt = revision;
  }

  /** "" when there is nothing to ask. Another query is asked at once (behind a table: soon), newer data at a pace. */
  ask(query: string, revision: string, isBehind: boolean): void {
    const isNew = query !== this.#query;
    if (!isNew && revision === this.#revision) return;
    [this.#query, this.#revision] = [query, revision];
    if (isNew) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    if (query === "") [this.#names, this.error] = [null, null];
    else if (isNew && !isBehind) this.#ask.run(query);
    else {
      this.#timer ??= setTimeout(
        () => {
          this.#timer = undefined;
          this.#ask.run(this.#query);
        },
        isNew ? BEHIND_MS : PAUSE_MS,
      );
    }
  }

  /** Before the first answer nothing matches, so that no chart draws all runs for a moment; when there is none, everything does. */
  matches(run: string): boolean {
    if (!this.#names) return this.error !== null;
    return this.#names.has(run) || (Object.hasOwn(this.#mergedInto, run) && this.#names.has(this.#mergedInto[run]!));
  }
}
