/** DependenceModel: which features the tab shows, and the curves or the plane of them. */

import { editsOfText, valuesAfter } from "../../editor/edits/edits";
import { AnalysisJob } from "../../state/analysis_job.svelte";
import type { WhatIfModel } from "../../whatif_model.svelte";
import type { Cell, ColumnEntry, DependenceBody, PartialDependence } from "../../wire";

const SETTLE_MS = 150;
export const SAMPLES = [50, 200, 1000, 5000] as const;
const GRID = 20;
const GRID_OF_PLANE = 12;

export class DependenceModel {
  readonly job: AnalysisJob<DependenceBody, PartialDependence>;

  constructor(readonly page: WhatIfModel) {
    this.job = new AnalysisJob("partial_dependence", page.requests.post.bind(page.requests));
    $effect(() => {
      const body = this.#body;
      const timer = setTimeout(() => this.job.load(body), this.job.result ? SETTLE_MS : 0);
      return () => clearTimeout(timer);
    });
    $effect(() => () => this.job.close());
  }

  readonly columns = $derived.by((): readonly ColumnEntry[] =>
    (this.page.info?.columns ?? []).filter(
      ({ role, type }) => role === "feature" && type !== "text" && type !== "image",
    ),
  );
  readonly names = $derived.by(() => this.columns.map(({ name }) => name));
  readonly feature = $derived.by(() => this.#named("pd_x") || (this.names[0] ?? ""));
  readonly feature2 = $derived.by(() => (this.#named("pd_y") === this.feature ? "" : this.#named("pd_y")));
  readonly className = $derived.by(() => this.page.context.url.get("pd_class") ?? "");
  readonly rows = $derived.by(
    () => SAMPLES.find((count) => String(count) === this.page.context.url.get("pd_rows")) ?? 200,
  );
  readonly canCompute = $derived.by(() => this.page.model?.can_predict ?? false);
  readonly edits = $derived.by(() => valuesAfter(editsOfText(this.page.context.url.get("edits")), {}));
  readonly isPlane = $derived.by(() => (this.job.result?.feature2 ?? "") !== "");
  /** The result of these features; null while it is still that of others. */
  readonly result = $derived.by((): PartialDependence | null => {
    const { result } = this.job;
    return result?.feature === this.feature && result.feature2 === this.feature2 ? result : null;
  });

  #named(parameter: string): string {
    const name = this.page.context.url.get(parameter) ?? "";
    return this.names.includes(name) ? name : "";
  }

  set(parameter: "pd_x" | "pd_y" | "pd_class" | "pd_rows", value: string): void {
    this.page.context.url.set(parameter, value === "" ? undefined : value);
  }

  /** Of the shown point. */
  valueOf(feature: string): Cell {
    if (this.page.row === null) return null;
    if (feature in this.edits) return this.edits[feature]!;
    const column = this.page.column(feature);
    const value = column?.values[this.page.row];
    if (!column || value === undefined || Number.isNaN(value) || (column.names.length > 0 && value < 0)) return null;
    if (column.names.length > 0) return column.names[value] ?? null;
    return column.type === "boolean" ? value === 1 : value;
  }

  readonly #body = $derived.by((): DependenceBody | null => {
    const { set, row, info } = this.page;
    if (!set || !info || !this.canCompute || this.feature === "") return null;
    return {
      ...set,
      model: this.page.modelName,
      row: row ?? 0,
      edits: row === null ? {} : this.edits,
      threshold: this.page.threshold,
      feature: this.feature,
      feature2: this.feature2,
      class_name: info.task === "multiclass" ? this.className : "",
      rows: this.rows,
      grid: this.feature2 === "" ? GRID : GRID_OF_PLANE,
      filter: this.page.filter,
    };
  });
}
