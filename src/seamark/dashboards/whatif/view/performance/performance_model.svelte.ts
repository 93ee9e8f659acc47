/** PerformanceModel: how good the model is, by slice, and the thresholds in force. */

import { parseJson, Resource } from "$public/core";
import type { ThresholdSlice } from "../state/thresholds";
import type { PerformanceBody, PerformanceResult, SlicePerformance, StrategyResult, TaskPerformance } from "../wire";
import type { PerformanceHost } from "./host";
import { confusionAt, sumOf, thresholdIndex, type Confusion } from "./confusion";

export type Strategy = StrategyResult["strategy"];
export const STRATEGIES: readonly (readonly [Strategy, string])[] = [
  ["custom", "Custom"],
  ["single", "Single threshold"],
  ["per_group", "Per group"],
  ["demographic_parity", "Demographic parity"],
  ["equal_opportunity", "Equal opportunity"],
  ["equal_accuracy", "Equal accuracy"],
  ["equalized_odds", "Equalized odds"],
];
const DEFAULT_BINS = 4;

export class PerformanceModel {
  readonly #performance: Resource<PerformanceBody, TaskPerformance>;

  constructor(private readonly page: PerformanceHost) {
    this.#performance = new Resource((body, signal) => page.requests.post("performance", body, signal));
    $effect(() => {
      const canMeasure = page.info !== null && page.info.target !== "" && page.info.models.length > 0;
      if (this.isNeeded && page.set && canMeasure) this.#performance.load(this.#body(), page.info!.content_id);
    });
  }

  /** Whether the tab is open, or rows have thresholds by slice that other parts draw. */
  isOpen = $state(false);
  readonly isNeeded = $derived.by(() => this.isOpen || this.sliceBy.length > 0);

  #body(): PerformanceBody {
    const page = this.page;
    return {
      ...page.set!,
      model: page.modelName,
      filter: page.filter,
      slice_by: this.sliceBy,
      bins: DEFAULT_BINS,
      positive: this.positive,
      cost_ratio: this.costRatio,
      ...(page.filter.query && { threshold: page.threshold }),
    };
  }

  readonly result = $derived.by((): TaskPerformance | null => this.#performance.value);
  readonly binary = $derived.by((): PerformanceResult | null => this.result?.binary ?? null);
  readonly error = $derived.by(() => this.#performance.error);
  readonly isLoading = $derived.by(() => this.#performance.isLoading);

  retry(): void {
    this.#performance.retry();
  }

  // Options

  readonly sliceBy = $derived.by((): readonly string[] => {
    const parsed = parseJson(this.page.context.url.get("slice_by") ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((name) => typeof name === "string").slice(0, 2) : [];
  });
  /** The cost of a false negative; a false positive costs 1. */
  readonly costRatio = $derived.by(() => {
    const ratio = Number(this.page.context.url.get("ratio") ?? 1);
    return ratio > 0 ? ratio : 1;
  });
  /** Of a multi-class model: the class to look at against all others; "": all classes. */
  readonly positive = $derived.by(() => this.page.context.url.get("class") ?? "");

  setSliceBy(columns: readonly string[]): void {
    const url = this.page.context.url;
    url.set("slice_by", columns.length === 0 ? undefined : JSON.stringify(columns), { push: true });
    url.set("ts", undefined);
    url.set("strategy", undefined);
  }

  setCostRatio(ratio: number): void {
    this.page.context.url.set("ratio", ratio === 1 ? undefined : String(ratio));
  }

  setPositive(name: string): void {
    this.page.context.url.set("class", name === "" ? undefined : name, { push: true });
  }

  // Thresholds

  readonly strategy = $derived.by((): Strategy => {
    const name = this.page.context.url.get("strategy");
    return STRATEGIES.find(([strategy]) => strategy === name)?.[0] ?? "custom";
  });
  readonly chosen = $derived.by(
    (): StrategyResult | null => this.binary?.strategies.find(({ strategy }) => strategy === this.strategy) ?? null,
  );
  /** The slices that have thresholds of their own: all rows if nothing is sliced. */
  readonly thresholdSlices = $derived.by((): readonly SlicePerformance[] => {
    const slices = this.binary?.slices ?? [];
    return slices.length > 1 ? slices.slice(1) : slices;
  });
  /** One for each of `thresholdSlices`. */
  readonly thresholds = $derived.by((): readonly number[] => {
    const slices = this.thresholdSlices;
    const chosen = this.chosen?.thresholds ?? [];
    if (chosen.length === slices.length && chosen.length > 0) return chosen;
    const custom = this.#custom;
    return slices.map(({ name }) => custom[name] ?? this.page.threshold);
  });
  readonly #custom = $derived.by((): Readonly<Record<string, number>> => {
    const parsed = parseJson(this.page.context.url.get("ts") ?? "{}");
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => Number.isFinite(value))) as Record<
      string,
      number
    >;
  });
  /** By slice, at the thresholds in force. */
  readonly confusions = $derived.by((): readonly Confusion[] =>
    this.thresholdSlices.map((slice, at) =>
      confusionAt(slice, thresholdIndex(this.binary!.thresholds, this.thresholds[at]!)),
    ),
  );
  readonly total = $derived.by((): Confusion => sumOf(this.confusions));

  /** Moving a threshold makes the strategy a custom one. */
  setThreshold(slice: number, threshold: number): void {
    const url = this.page.context.url;
    const slices = this.thresholdSlices;
    if (slices.length <= 1 && this.sliceBy.length === 0) {
      this.page.setThreshold(threshold);
    } else {
      const next = Object.fromEntries(slices.map(({ name }, at) => [name, this.thresholds[at]!]));
      next[slices[slice]!.name] = threshold;
      url.set("ts", JSON.stringify(next));
    }
    url.set("strategy", undefined);
  }

  setStrategy(strategy: Strategy): void {
    const found = this.binary?.strategies.find((one) => one.strategy === strategy);
    if (strategy !== "custom" && (found?.thresholds.length ?? 0) === 0) return;
    const url = this.page.context.url;
    if (strategy === "custom") {
      const slices = this.thresholdSlices;
      const current = Object.fromEntries(slices.map(({ name }, at) => [name, this.thresholds[at]!]));
      if (this.sliceBy.length > 0) url.set("ts", JSON.stringify(current));
      else if (this.thresholds[0] !== undefined) this.page.setThreshold(this.thresholds[0]);
    } else if (this.sliceBy.length === 0) {
      // Without slices there is one threshold, which all parts of the page read.
      this.page.setThreshold(found!.thresholds[0]!);
    }
    url.set("strategy", strategy === "custom" ? undefined : strategy, { push: true });
  }

  /** The slices with a threshold of their own, for the parts of the page that draw rows; empty: one threshold for all. */
  readonly slicesInForce = $derived.by((): readonly ThresholdSlice[] =>
    this.sliceBy.length === 0
      ? []
      : this.thresholdSlices.map(({ name, conditions }, at) => ({ name, conditions, threshold: this.thresholds[at]! })),
  );
}
