/** EditorModel: the chosen row with its edits, predictions, near rows and curve. */

import { createContext } from "svelte";
import { Resource } from "$public/core";
import { AnalysisJob } from "../state/analysis_job.svelte";
import type { WhatIfModel } from "../whatif_model.svelte";
import type { ColumnEntry, DependenceBody, PartialDependence, RowsBody, RowsResponse } from "../wire";
import type { Values } from "./edits/edits";
import { EditsModel } from "./edits/edits_model.svelte";
import { PredictionsModel } from "./edits/predictions_model.svelte";
import { marksOf } from "./near/marks";
import { NearModel } from "./near/near_model.svelte";

const CURVES = 200;

export class EditorModel {
  readonly #values: Resource<RowsBody, RowsResponse>;
  readonly edits: EditsModel;
  readonly predictions: PredictionsModel;
  readonly near: NearModel;
  readonly curve: AnalysisJob<DependenceBody, PartialDependence>;

  constructor(readonly page: WhatIfModel) {
    this.#values = new Resource((body, signal) => page.requests.rows(body, signal));
    this.edits = new EditsModel({
      url: page.context.url,
      row: () => page.row,
      own: () => this.own,
      selectRow: (row) => page.selectRow(row),
    });
    this.predictions = new PredictionsModel(page, this.edits, () => this.own);
    this.near = new NearModel(page, () => this.predictions.threshold);
    this.curve = new AnalysisJob("partial_dependence", page.requests.post.bind(page.requests));
    $effect(() => {
      if (this.#rowsBody) this.#values.load(this.#rowsBody);
    });
    $effect(() => this.curve.load(this.#curveBody));
    $effect(() => {
      page.marks = this.#marks;
      return () => (page.marks = []);
    });
    $effect(() => () => this.curve.close());
  }

  // The row

  readonly columns = $derived.by((): readonly ColumnEntry[] =>
    (this.page.info?.columns ?? []).filter(({ role }) => role === "feature"),
  );
  readonly #rowsBody = $derived.by((): RowsBody | null => {
    const { set, row, info } = this.page;
    if (!set || row === null || !info) return null;
    return { ...set, rows: this.near.near ? [row, this.near.near.row] : [row] };
  });
  readonly #rowValues = $derived.by((): ReadonlyMap<number, Values> => {
    const loaded = this.#values.value;
    if (!loaded) return new Map();
    return new Map(
      loaded.rows.map((row, index) => [
        row,
        Object.fromEntries(loaded.columns.map((name, at) => [name, loaded.values[index]![at]!])),
      ]),
    );
  });
  readonly own = $derived.by((): Values | null => this.#rowValues.get(this.page.row ?? -1) ?? null);
  readonly valuesError = $derived.by(() => this.#values.error);
  /** "test, truth > 50k" */
  readonly caption = $derived.by((): string => {
    const { info } = this.page;
    if (!info || !this.own) return "";
    const split = info.columns.find(({ role }) => role === "split");
    const parts = split ? [String(this.own[split.name] ?? "")] : [];
    if (info.target !== "") parts.push(`truth ${String(this.own[info.target] ?? "missing")}`);
    return parts.join(", ");
  });

  // The counterfactual

  readonly other = $derived.by((): Values | null =>
    this.near.near ? (this.#rowValues.get(this.near.near.row) ?? null) : null,
  );
  /** How many features of the counterfactual have other values than the edited row. */
  readonly differing = $derived.by(() => {
    const { other } = this;
    return other ? this.columns.filter(({ name }) => (other[name] ?? null) !== this.edits.valueOf(name)).length : 0;
  });

  copyOther(feature: string): void {
    if (this.other && this.predictions.canPredict) this.edits.setAll({ [feature]: this.other[feature] ?? null });
  }

  copyAllOther(): void {
    const { other } = this;
    if (other) this.edits.setAll(Object.fromEntries(this.columns.map(({ name }) => [name, other[name] ?? null])));
  }

  readonly #marks = $derived.by(() =>
    marksOf({
      row: this.page.row,
      changed: this.edits.changed,
      after: this.predictions.after,
      task: this.page.info?.task ?? "binary",
      counterfactual: this.near.near?.row ?? null,
      neighbours: this.near.neighbours?.neighbours.map(({ row }) => row) ?? [],
    }),
  );

  // The curve of the focused feature

  readonly focused = $derived.by((): string => {
    const can = this.columns.filter(({ type }) => type !== "text" && type !== "image").map(({ name }) => name);
    const last = this.edits.list.at(-1)?.feature;
    return [this.page.context.url.get("feature"), last, can[0]].find((name) => name && can.includes(name)) ?? "";
  });

  focus(feature: string): void {
    this.page.context.url.set("feature", feature);
  }

  readonly #curveBody = $derived.by((): DependenceBody | null => {
    const { set, row, info, modelName: model, filter } = this.page;
    const { values: edits, threshold, canPredict } = this.predictions;
    if (!set || row === null || !info || !canPredict || !edits || this.focused === "") return null;
    return { ...set, model, row, threshold, edits, feature: this.focused, rows: CURVES, filter };
  });
}

export const [getEditor, setEditor] = createContext<EditorModel>();
