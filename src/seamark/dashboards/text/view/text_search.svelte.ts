/** A search over all texts. The server searches a part at a time; what is found is shown at once. */

import { Resource } from "$public/core";
import { fetchFound, PAGE, type Found } from "./model";

interface SearchRequest {
  readonly words: string;
  /** The search ends with so many matches; more can be loaded. */
  readonly limit: number;
}

const NOTHING: Found = { matches: [], searched: 0, unread: 0, next: null };

export class TextSearch {
  /** Grows while a search runs. */
  found = $state.raw<Found>(NOTHING);
  #request: SearchRequest = { words: "", limit: 0 };
  readonly #search: Resource<SearchRequest, Found>;

  constructor(private readonly fetch = fetchFound) {
    this.#search = new Resource<SearchRequest, Found>((request, signal) => this.#run(request, signal));
  }

  get isSearching(): boolean {
    return this.#search.isLoading;
  }

  get error(): string {
    return this.#search.error;
  }

  start(words: string): void {
    this.#load({ words, limit: PAGE });
  }

  loadMore(): void {
    this.#load({ ...this.#request, limit: this.found.matches.length + PAGE });
  }

  close(): void {
    this.#search.close();
  }

  #load(request: SearchRequest): void {
    if (request.words !== this.#request.words) {
      this.#search.reset();
      this.found = NOTHING;
    }
    this.#request = request;
    this.#search.load(request);
  }

  async #run({ words, limit }: SearchRequest, signal: AbortSignal): Promise<Found> {
    let { found } = this;
    do {
      const more = await this.fetch(words, found.next, signal);
      signal.throwIfAborted();
      found = joined(found, more);
      this.found = found;
    } while (found.next !== null && found.matches.length < limit);
    return found;
  }
}

const joined = (before: Found, more: Found): Found => ({
  matches: [...before.matches, ...more.matches],
  searched: before.searched + more.searched,
  unread: before.unread + more.unread,
  next: more.next,
});
