/** What differs between the runs of a page. */

import { Resource } from "./resource.svelte";
import { fetchDiff, type DiffAnswer } from "./run";

/** Comparing reads every point of every metric. */
const PAUSE_MS = 3000;

export class DiffSource extends Resource<readonly string[], DiffAnswer> {
  constructor() {
    super(fetchDiff, { pauseMs: PAUSE_MS, abortAfterMs: 0 });
  }

  /** One run differs from nothing. */
  override load(runs: readonly string[], revision: number | string): void {
    if (runs.length < 2) this.reset();
    else super.load(runs, revision);
  }
}
