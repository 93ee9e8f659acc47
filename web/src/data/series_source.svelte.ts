/** The series of one card. */

import type { SeriesBlock } from "./api";
import { Resource } from "./resource.svelte";
import { covers, keyOf, SeriesCache, type LoadedSeries, type SeriesRequest } from "./series";
import { SeriesBatcher } from "./series_batcher";

const cache = new SeriesCache();
const batcher = new SeriesBatcher();
/** New points may come many times a second; a card requests them this often. */
const PAUSE_MS = 100;

export class SeriesSource extends Resource<SeriesRequest, SeriesBlock> {
  constructor() {
    super(
      async (request, signal, revision) => {
        const value = await batcher.load(request, signal);
        cache.put({ request, revision, value });
        return value;
      },
      { keyOf: (request) => keyOf(request) + JSON.stringify(request.runs), pauseMs: PAUSE_MS },
    );
  }

  protected override find(request: SeriesRequest, revision: number | string): LoadedSeries | undefined {
    const { loaded } = this;
    const isFresh = loaded?.revision === revision && keyOf(loaded.request) === keyOf(request);
    return isFresh && covers(loaded, request.runs) ? loaded : cache.get(request, revision);
  }
}
