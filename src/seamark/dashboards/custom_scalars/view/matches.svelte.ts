/** What the patterns of a layout find. The server tries them: they are Python's. */

import { messageOf, requestJson } from "$public/core";
import type { Match } from "./resolve";

export class Matches {
  #known = $state.raw<ReadonlyMap<string, Match>>(new Map());
  error = $state("");
  #asked = 0;

  of(pattern: string): Match | undefined {
    return this.#known.get(pattern);
  }

  /** All of them anew: tags came or went. What was found stays until then. */
  async ask(patterns: readonly string[]): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    if (patterns.length === 0) return;
    try {
      const found = await fetchMatches(patterns);
      if (asked !== this.#asked) return;
      this.#known = new Map(patterns.map((pattern, index) => [pattern, found[index]!]));
      this.error = "";
    } catch (failure) {
      if (asked === this.#asked) this.error = messageOf(failure);
    }
  }
}

export async function fetchMatches(patterns: readonly string[]): Promise<readonly Match[]> {
  const { matches } = await requestJson<{ matches: readonly Match[] }>("api/dashboards/custom_scalars/match", {
    body: { patterns },
  });
  return matches;
}
