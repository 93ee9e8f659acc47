/** Requests of the same moment that differ only in their runs become one. */

import { fetchHistograms, type HistogramBlock, type HistogramRequest } from "./histograms";

interface Waiting {
  readonly request: HistogramRequest;
  readonly resolve: (block: HistogramBlock) => void;
  readonly reject: (error: unknown) => void;
}

/** A response that takes long delays the first picture. */
const MAX_RUNS = 16;

export class HistogramBatcher {
  #waiting: Waiting[] = [];

  constructor(private readonly fetch: (request: HistogramRequest) => Promise<HistogramBlock> = fetchHistograms) {}

  /** A block with these runs, and perhaps with others. */
  load(request: HistogramRequest): Promise<HistogramBlock> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#send());
      this.#waiting.push({ request, resolve, reject });
    });
  }

  #send(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    for (const group of batches(batch)) void this.#answer(group);
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    const runs = runsOf(batch);
    const block = batch.length > 1 ? await this.fetch({ ...batch[0]!.request, runs }).catch(() => null) : null;
    for (const { request, resolve, reject } of batch) {
      if (block && request.runs.some((run) => block.runs.includes(run))) resolve(block);
      // A run that cannot be read, or is gone, fails alone.
      else this.fetch(request).then(resolve, reject);
    }
  }
}

function batches(batch: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>();
  const full: Waiting[][] = [];
  for (const waiting of batch) {
    const key = JSON.stringify({ ...waiting.request, runs: [] });
    const group = groups.get(key) ?? [];
    if (group.length > 0 && runsOf([...group, waiting]).length > MAX_RUNS) {
      full.push(group);
      groups.set(key, [waiting]);
    } else {
      groups.set(key, [...group, waiting]);
    }
  }
  return [...full, ...groups.values()];
}

const runsOf = (batch: readonly Waiting[]): string[] => [...new Set(batch.flatMap(({ request }) => request.runs))];
