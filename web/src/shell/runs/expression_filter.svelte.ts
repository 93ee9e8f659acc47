/** The runs that an expression matches. What matched before stays until the server has responded. */

import type { Run } from "../../data/api";
import { Resource } from "../../data/resource.svelte";
import { fetchTable } from "../../data/table";

const PAUSE_MS = 1000;
/** Behind the table of all runs, which is loaded first, the charts are not on screen. */
const BEHIND_MS = 300;

export class ExpressionFilter {
  #query = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #matches = new Resource<string, ReadonlySet<string>>(
    async (query, signal) => new Set((await fetchTable({ query, columns: [], archived: "show" }, signal)).runs),
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
  matches({ name, merged_into: row }: Pick<Run, "name" | "merged_into">): boolean {
    const names = this.#matches.value;
    if (!names) return this.error !== null;
    return names.has(name) || (row !== undefined && names.has(row));
  }
}
