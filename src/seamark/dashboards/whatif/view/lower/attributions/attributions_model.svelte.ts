/** AttributionsModel: Shapley values of the point, or permutation importance over the rows of the slice. */

import { editsOfText, valuesAfter } from "../../editor/edits/edits";
import { AnalysisJob } from "../../state/analysis_job.svelte";
import type { WhatIfModel } from "../../whatif_model.svelte";
import type { Attributions, AttributionsBody } from "../../wire";

export type Method = "shapley" | "permutation";

const SETTLE_MS = 150;
/** Samples of a point, or how often each feature is shuffled. */
export const SAMPLES: Readonly<Record<Method, readonly number[]>> = {
  shapley: [50, 200, 1000, 5000],
  permutation: [3, 10, 30],
};
const DEFAULT_SAMPLES: Readonly<Record<Method, number>> = { shapley: 200, permutation: 3 };

export class AttributionsModel {
  readonly job: AnalysisJob<AttributionsBody, Attributions>;

  constructor(readonly page: WhatIfModel) {
    this.job = new AnalysisJob("attributions", page.requests.post.bind(page.requests));
    $effect(() => {
      const body = this.#body;
      const timer = setTimeout(() => this.job.load(body), this.job.result ? SETTLE_MS : 0);
      return () => clearTimeout(timer);
    });
    $effect(() => () => this.job.close());
  }

  /** Without a point there is only the importance for all rows. */
  readonly method = $derived.by((): Method =>
    this.page.row === null || this.page.context.url.get("at_method") === "permutation" ? "permutation" : "shapley",
  );
  readonly samples = $derived.by((): number => {
    const wanted = Number(this.page.context.url.get("at_samples"));
    return SAMPLES[this.method].includes(wanted) ? wanted : DEFAULT_SAMPLES[this.method];
  });
  readonly className = $derived.by(() => this.page.context.url.get("at_class") ?? "");
  readonly canCompute = $derived.by(() => this.page.model?.can_predict ?? false);
  readonly result = $derived.by((): Attributions | null =>
    this.job.result?.method === this.method ? this.job.result : null,
  );

  set(parameter: "at_method" | "at_samples" | "at_class", value: string): void {
    this.page.context.url.set(parameter, value === "" ? undefined : value);
  }

  readonly #body = $derived.by((): AttributionsBody | null => {
    const { set, row, info } = this.page;
    if (!set || !info || !this.canCompute) return null;
    const isPoint = this.method === "shapley";
    return {
      ...set,
      model: this.page.modelName,
      row: isPoint ? (row ?? 0) : 0,
      edits: isPoint ? valuesAfter(editsOfText(this.page.context.url.get("edits")), {}) : {},
      method: this.method,
      class_name: info.task === "multiclass" && isPoint ? this.className : "",
      samples: this.samples,
      filter: this.page.filter,
    };
  });
}
