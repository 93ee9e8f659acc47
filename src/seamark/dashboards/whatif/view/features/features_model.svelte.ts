/** FeaturesModel: statistics of features, optionally beside other rows or another set. */

import { Resource } from "$public/core";
import type { WhatIfModel } from "../whatif_model.svelte";
import type { FeaturesBody, FeaturesResult, FeatureStatistics, SetEntry } from "../wire";

export type FeatureOrder = "file" | "name" | "flags" | "missing" | "drift" | "truth";
export const ORDERS: readonly (readonly [FeatureOrder, string])[] = [
  ["file", "As in the file"],
  ["name", "Name"],
  ["flags", "Flags first"],
  ["missing", "Most missing"],
  ["drift", "Largest drift"],
  ["truth", "Predicts the truth best"],
];

/** What the rows of the slice are compared with. */
export type Comparison =
  | { readonly type: "none" }
  | { readonly type: "rest" }
  | { readonly type: "split"; readonly column: string; readonly value: string }
  | { readonly type: "set"; readonly set: SetEntry };

export class FeaturesModel {
  readonly #features: Resource<FeaturesBody, FeaturesResult>;

  constructor(private readonly page: WhatIfModel) {
    this.#features = new Resource((body, signal) => page.requests.post("features", body, signal));
    $effect(() => {
      if (page.set && page.info) this.#features.load(this.#body(), page.info.content_id);
    });
  }

  readonly result = $derived.by((): FeaturesResult | null => this.#features.value);
  readonly error = $derived.by(() => this.#features.error);

  retry(): void {
    this.#features.retry();
  }

  #body(): FeaturesBody {
    const comparison = this.comparison;
    const body = { ...this.page.set!, filter: this.page.filter };
    if (comparison.type === "split") {
      return { ...body, other_filter: { conditions: [{ column: comparison.column, values: [comparison.value] }] } };
    }
    if (comparison.type === "set") {
      const { run, name } = comparison.set;
      return { ...body, other: { run, name } };
    }
    return comparison.type === "rest" ? { ...body, other_filter: {} } : body;
  }

  // Options, in the address

  readonly comparisons = $derived.by((): readonly Comparison[] => [
    { type: "none" },
    ...(this.page.hasFilter ? [{ type: "rest" } as const] : []),
    ...(this.page.info?.columns ?? [])
      .filter(({ role, names }) => role === "split" && names.length > 0)
      .flatMap(({ name, names }) => names.map((value) => ({ type: "split", column: name, value }) as const)),
    ...this.page.sets.filter((set) => set !== this.page.entry).map((set) => ({ type: "set", set }) as const),
  ]);
  readonly comparison = $derived.by((): Comparison => {
    const key = this.page.context.url.get("compare");
    return this.comparisons.find((one) => keyOf(one) === key) ?? { type: "none" };
  });
  readonly order = $derived.by((): FeatureOrder => {
    const name = this.page.context.url.get("features");
    return ORDERS.find(([order]) => order === name)?.[0] ?? "file";
  });

  setComparison(key: string): void {
    this.page.context.url.set("compare", key === "none" ? undefined : key, { push: true });
  }

  setOrder(order: string): void {
    this.page.context.url.set("features", order === "file" ? undefined : order);
  }

  readonly ordered = $derived.by((): readonly FeatureStatistics[] => inOrder(this.result?.features ?? [], this.order));
}

export function keyOf(one: Comparison): string {
  if (one.type === "split") return `split ${one.column} ${one.value}`;
  return one.type === "set" ? `set ${one.set.run} ${one.set.name}` : one.type;
}

export function titleOf(one: Comparison): string {
  if (one.type === "none") return "nothing";
  if (one.type === "rest") return "all rows";
  return one.type === "split" ? `${one.column} = ${one.value}` : `${one.set.title} of ${one.set.run}`;
}

export function inOrder(features: readonly FeatureStatistics[], order: FeatureOrder): readonly FeatureStatistics[] {
  if (order === "file") return features;
  if (order === "name") return features.toSorted((a, b) => a.name.localeCompare(b.name));
  const weight = (one: FeatureStatistics): number =>
    ({
      flags: one.flags.length,
      missing: one.missing / Math.max(1, one.rows),
      drift: one.drift ?? -1,
      truth: one.truth_strength ?? -1,
    })[order];
  return features.toSorted((a, b) => weight(b) - weight(a));
}
