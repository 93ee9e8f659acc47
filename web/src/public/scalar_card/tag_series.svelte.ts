/** The series of one tag, made of the responses to its requests. */

import { seriesOf, type SeriesSet } from "../../chart/series";
import { SeriesSource } from "../../data/series_source.svelte";

export class TagSeries {
  readonly source = new SeriesSource();
  /** When each run began, from a response that held its first point. */
  readonly #began = new Map<string, number>();

  readonly set = $derived.by((): SeriesSet | null => {
    const { loaded } = this.source;
    if (!loaded) return null;
    const { runs, columns } = loaded.value;
    if (!loaded.request.range && columns.began)
      runs.forEach((run, index) => this.#began.set(run, columns.began![index]!));
    return seriesOf(loaded.value, { axis: loaded.request.axis, beganOf: (run) => this.#began.get(run) });
  });

  /** Relative times inside a window need to know when each run began. */
  knowsBeginnings(runs: readonly string[]): boolean {
    void this.set;
    return runs.every((run) => this.#began.has(run));
  }
}
