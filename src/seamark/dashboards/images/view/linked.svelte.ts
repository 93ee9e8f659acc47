/** The steps of all series that one slider moves. The slider can be used before all are known. */

import { sortedLists, type ImageSeries, type ImageSeriesCache } from "$public/core";

/** Further series move along, and add no steps of their own. */
const MAX_SERIES = 60;

/** One slider for several series: their steps, and the index of the newest one that counts. */
export interface JointSteps {
  readonly steps: readonly number[];
  readonly newest: number;
}

export function jointSteps(series: readonly Pick<ImageSeries, "steps" | "newest">[]): JointSteps {
  const steps = sortedLists.union(series.map((one) => one.steps));
  const counted = series.flatMap((one) => one.steps[one.newest] ?? []);
  return { steps, newest: steps.indexOf(Math.max(...counted)) };
}

/** Null is the newest step. */
export const indexOfStep = ({ steps, newest }: JointSteps, step: number | null): number =>
  step === null ? newest : sortedLists.atOrBefore(steps, step);

export class LinkedSteps {
  constructor(
    private readonly cache: ImageSeriesCache,
    private readonly pairs: () => readonly { readonly run: string; readonly tag: string }[],
  ) {
    $effect(() => {
      for (const series of this.#series) cache.follow(series);
    });
  }

  readonly #series = $derived.by(() =>
    this.pairs()
      .slice(0, MAX_SERIES)
      .map(({ run, tag }) => this.cache.of(run, tag)),
  );
  readonly joint = $derived(jointSteps(this.#series));
}
