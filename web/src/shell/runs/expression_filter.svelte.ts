/** The runs that an expression matches. What matched before stays until the server has responded. */

import { Resource } from "../../data/resource.svelte";
import { fetchColumns, fetchTable } from "../../data/table";

const PAUSE_MS = 1000;
/** Behind the table of all runs, which is loaded first, the charts are not on screen. */
const BEHIND_MS = 300;

interface Matches {
  readonly names: ReadonlySet<string>;
  /** Runs whose parameters and metrics belong to another's row. */
  readonly mergedInto: Readonly<Record<string, string>>;
}

export class ExpressionFilter {
  #query = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #merged: { readonly revision: number | string; readonly into: Matches["mergedInto"] } | undefined;
  readonly #matches = new Resource<string, Matches>(
    async (query, signal, revision) => {
      const [{ runs }, mergedInto] = await Promise.all([
        fetchTable({ query, columns: [], archived: "show" }, signal),
        this.#fetchMerged(revision, signal),
      ]);
      return { names: new Set(runs), mergedInto };
    },
    { pauseMs: PAUSE_MS },
  );

  get error(): Error | null {
    return this.#matches.failure;
  }

  /** "" is no expression. */
  load(query: string, revision: string, isBehind: boolean): void {
    const waits = isBehind && query !== this.#query;
    this.#query = query;
    clearTimeout(this.#timer);
    if (query === "") this.#matches.reset();
    else if (waits) this.#timer = setTimeout(() => this.#matches.load(query, revision), BEHIND_MS);
    else this.#matches.load(query, revision);
  }

  /** Nothing matches before the first response, so that no chart draws all runs for a moment; if it fails, everything does. */
  matches(run: string): boolean {
    const found = this.#matches.value;
    if (!found) return this.error !== null;
    const { names, mergedInto } = found;
    return names.has(run) || (Object.hasOwn(mergedInto, run) && names.has(mergedInto[run]!));
  }

  /** Another query merges no other runs: once for the same data. */
  async #fetchMerged(revision: number | string, signal: AbortSignal): Promise<Matches["mergedInto"]> {
    if (this.#merged?.revision !== revision)
      this.#merged = { revision, into: (await fetchColumns({}, signal)).merged_into };
    return this.#merged.into;
  }
}
