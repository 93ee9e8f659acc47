/** PredictionsModel: what the models predict for the row, and for the row after each edit. */

import { Resource } from "$public/core";
import { SCORE_OF } from "../../explore/fields/fields";
import { tracebackOf } from "../../state/analysis_job.svelte";
import type { WhatIfModel } from "../../whatif_model.svelte";
import type { Cell, ModelEntry, PredictBody, Prediction, PredictionsResult } from "../../wire";
import { valuesAfter, type Edit, type Values } from "./edits";
import type { EditsModel } from "./edits_model.svelte";
import { comparableScore } from "./score_text";

const PREDICT_AFTER_MS = 150;
/** Of a set with stored predictions, whose scores are a column for each class. */
const MAX_STORED_CLASSES = 20;

export interface HistoryEntry {
  readonly edit: Edit;
  readonly from: Cell;
  readonly before: number | null;
  readonly after: number | null;
}

export class PredictionsModel {
  readonly #a: Resource<PredictBody, PredictionsResult>;
  readonly #b: Resource<PredictBody, PredictionsResult>;
  /** What the predictions are asked for: the edits after a pause in typing. */
  #settled = $state.raw<readonly Edit[] | null>(null);

  constructor(
    private readonly page: WhatIfModel,
    private readonly edits: EditsModel,
    private readonly own: () => Values | null,
  ) {
    const predict = (body: PredictBody, signal: AbortSignal): Promise<PredictionsResult> =>
      page.requests.post("predict", body, signal);
    this.#a = new Resource(predict);
    this.#b = new Resource(predict);
    $effect(() => {
      if (edits.list.length === 0) return this.predictNow();
      const timer = setTimeout(() => this.predictNow(), PREDICT_AFTER_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => this.#load());
  }

  /** Whether values can be changed: a model must be able to predict them. */
  readonly canPredict = $derived.by(() => this.page.model?.can_predict ?? false);
  readonly threshold = $derived.by(() =>
    this.page.row === null ? this.page.threshold : this.page.thresholdOf(this.page.row),
  );
  readonly thresholdName = $derived.by(() => {
    const slice = this.page.rowThresholds
      ? this.page.thresholdSlices.find(({ threshold }) => Math.abs(threshold - this.threshold) < 1e-6)
      : undefined;
    return `${slice ? `${slice.name} ` : ""}threshold ${this.threshold.toFixed(2)}`;
  });

  /** From the model, or else from the columns of the file. */
  readonly before = $derived.by((): Prediction | null => this.#liveA?.predictions[0] ?? this.#storedA);
  readonly after = $derived.by(
    (): Prediction | null => this.#liveA?.predictions.at(-1) ?? (this.edits.isChanged ? null : this.#storedA),
  );
  readonly beforeB = $derived.by((): Prediction | null => this.#liveB?.predictions[0] ?? this.#storedB);
  readonly afterB = $derived.by(
    (): Prediction | null => this.#liveB?.predictions.at(-1) ?? (this.edits.isChanged ? null : this.#storedB),
  );
  readonly isPredicting = $derived.by(
    () => this.canPredict && (this.#a.isLoading || this.#settled !== this.edits.list),
  );
  readonly error = $derived.by(() => this.#a.error);
  readonly traceback = $derived.by(() => tracebackOf(this.#a.failure));
  readonly classes = $derived.by((): readonly string[] => {
    const known = [this.#liveA?.classes, this.page.model?.classes, this.page.info?.classes];
    return known.find((classes) => classes !== undefined && classes.length > 0) ?? [];
  });

  readonly history = $derived.by((): readonly HistoryEntry[] => {
    const own = this.own() ?? {};
    const predictions = this.#a.value?.predictions ?? [];
    const scores = predictions.map((one) => comparableScore(one, predictions[0] ?? null, this.classes));
    return this.edits.list.map((edit, index) => {
      const known = valuesAfter(this.edits.list, own, index);
      const from = edit.feature in known ? known[edit.feature]! : (own[edit.feature] ?? null);
      return { edit, from, before: scores[index] ?? null, after: scores[index + 1] ?? null };
    });
  });

  /** The values that are predicted, after a pause in typing; null while the row is not known. */
  readonly values = $derived.by((): Values | null => {
    const own = this.own();
    return own && this.#settled && valuesAfter(this.#settled, own);
  });

  predictNow(): void {
    this.#settled = this.edits.list;
  }

  retry(): void {
    this.#a.retry();
    this.#b.retry();
  }

  /** The answers to the model that is chosen now: one with stored predictions is never asked. */
  readonly #liveA = $derived.by(() => (this.canPredict ? this.#a.value : null));
  readonly #liveB = $derived.by(() => (this.page.modelB?.can_predict ? this.#b.value : null));
  readonly #storedA = $derived.by(() => this.#stored(this.page.model));
  readonly #storedB = $derived.by(() => this.#stored(this.page.modelB));

  /** The score of the row among those of all rows: for a model that cannot predict, or that fails at an edit. */
  #stored(model: ModelEntry | null): Prediction | null {
    const { row, info } = this.page;
    if (row === null || !info || !model) return null;
    if (info.task === "multiclass") return this.#storedClasses(model, row);
    const score = this.page.column("=score", model.name)?.values[row];
    if (score === undefined || Number.isNaN(score)) return null;
    const predicted = info.task === "binary" ? (this.classes[score >= this.threshold ? 1 : 0] ?? "") : "";
    return { score, scores: [], predicted };
  }

  #storedClasses(model: ModelEntry, row: number): Prediction | null {
    const { page, classes } = this;
    if (model.can_predict || classes.length > MAX_STORED_CLASSES) return null;
    const scores = classes.map((name) => page.column(`${SCORE_OF}${name}`, model.name)?.values[row] ?? NaN);
    const score = Math.max(...scores);
    return Number.isNaN(score) ? null : { score, scores, predicted: classes[scores.indexOf(score)]! };
  }

  #load(): void {
    if (!this.canPredict) return;
    const body = this.#body(this.page.modelName);
    if (body) this.#a.load(body);
    const bodyB = this.page.modelB?.can_predict ? this.#body(this.page.modelNameB) : null;
    if (bodyB) this.#b.load(bodyB);
  }

  /** The row, and the row after each edit. */
  #body(model: string): PredictBody | null {
    const { set, row } = this.page;
    const [own, settled] = [this.own(), this.#settled];
    if (!set || row === null || !own || settled === null) return null;
    const points = [...Array(settled.length + 1).keys()].map((count) => ({
      row,
      edits: valuesAfter(settled, own, count),
    }));
    return { ...set, model, points, threshold: this.threshold };
  }
}
