/** The tags that the patterns of a layout match. The server matches them, since they are in Python's syntax. */

import { messageOf, requestJson } from "$public/core";
import type { Match } from "./resolve";
import type { MatchResponse } from "./wire_types";

export class Matches {
  #known = $state.raw<ReadonlyMap<string, Match>>(new Map());
  error = $state("");
  #latest = 0;

  of(pattern: string): Match | undefined {
    return this.#known.get(pattern);
  }

  /** Replaces all matches, after tags came or went. The old ones stay until the response. */
  async load(patterns: readonly string[]): Promise<void> {
    this.#latest += 1;
    const current = this.#latest;
    if (patterns.length === 0) return;
    try {
      const found = await fetchMatches(patterns);
      if (current !== this.#latest) return;
      this.#known = new Map(patterns.map((pattern, index) => [pattern, found[index]!]));
      this.error = "";
    } catch (failure) {
      if (current === this.#latest) this.error = messageOf(failure);
    }
  }
}

export async function fetchMatches(patterns: readonly string[]): Promise<readonly Match[]> {
  const { matches } = await requestJson<MatchResponse>("api/dashboards/custom_scalars/match", { body: { patterns } });
  return matches;
}
