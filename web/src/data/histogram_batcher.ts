/** Cards that appear together ask together: requests of one moment that differ in their runs only become one request. */

import { fetchHistograms, type HistogramBlock, type HistogramRequest } from "./histograms";

interface Ask {
  readonly request: HistogramRequest;
  readonly resolve: (block: HistogramBlock) => void;
  readonly reject: (error: unknown) => void;
}

/** Of one request: an answer that takes long holds back the first picture. */
const MOST_RUNS = 16;

export class HistogramBatcher {
  #waiting: Ask[] = [];

  constructor(private readonly fetch: (request: HistogramRequest) => Promise<HistogramBlock> = fetchHistograms) {}

  /** A block with these runs, and perhaps with others. */
  ask(request: HistogramRequest): Promise<HistogramBlock> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#send());
      this.#waiting.push({ request, resolve, reject });
    });
  }

  #send(): void {
    const asks = this.#waiting;
    this.#waiting = [];
    for (const group of together(asks)) void this.#answer(group);
  }

  async #answer(asks: readonly Ask[]): Promise<void> {
    const runs = runsOf(asks);
    const block = asks.length > 1 ? await this.fetch({ ...asks[0]!.request, runs }).catch(() => null) : null;
    for (const { request, resolve, reject } of asks) {
      if (block && request.runs.some((run) => block.runs.includes(run))) resolve(block);
      // One run that cannot be read, or is gone, spoils nothing for the others: each hears about its own.
      else this.fetch(request).then(resolve, reject);
    }
  }
}

function together(asks: readonly Ask[]): Ask[][] {
  const groups = new Map<string, Ask[]>();
  const full: Ask[][] = [];
  for (const ask of asks) {
    const key = JSON.stringify({ ...ask.request, runs: [] });
    const group = groups.get(key) ?? [];
    if (group.length > 0 && runsOf([...group, ask]).length > MOST_RUNS) {
      full.push(group);
      groups.set(key, [ask]);
    } else {
      groups.set(key, [...group, ask]);
    }
  }
  return [...full, ...groups.values()];
}

const runsOf = (asks: readonly Ask[]): string[] => [...new Set(asks.flatMap(({ request }) => request.runs))];
