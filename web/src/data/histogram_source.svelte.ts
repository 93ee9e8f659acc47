/** The histograms of one card. */

import { HistogramBatcher } from "./histogram_batcher";
import type { Hint, HistogramBlock, HistogramRequest } from "./histograms";
import { Resource } from "./resource.svelte";

/** A run that logs all the time is requested a few times a second at most. */
const PAUSE_MS = 250;
const batcher = new HistogramBatcher();

/** The block may also hold runs of other cards. */
export class HistogramSource extends Resource<HistogramRequest, HistogramBlock> {
  /** Of the whole series, also while a window is shown. */
  health = $state.raw<readonly Hint[]>([]);

  constructor() {
    super(
      async (request) => {
        const block = await batcher.load(request);
        if (block.health) this.health = block.health;
        return block;
      },
      { pauseMs: PAUSE_MS },
    );
  }
}
