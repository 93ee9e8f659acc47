import { expect, it } from "vitest";
import type { FeatureStatistics, SetEntry } from "../wire";
import { inOrder, keyOf, titleOf } from "./features_model.svelte";

const feature = (name: string, more: Partial<FeatureStatistics>): FeatureStatistics =>
  ({
    name,
    rows: 100,
    missing: 0,
    drift: null,
    truth_strength: null,
    flags: [],
    ...more,
  }) as unknown as FeatureStatistics;
const FEATURES = [
  feature("b", { missing: 3, drift: 0.1 }),
  feature("c", { missing: 30, truth_strength: 0.2 }),
  feature("a", { drift: 0.4, flags: [{ code: "drift", text: "moved" }] }),
];
const names = (order: Parameters<typeof inOrder>[1]): string =>
  inOrder(FEATURES, order)
    .map(({ name }) => name)
    .join("");

it("orders features by what a person looks for", () => {
  expect(names("file")).toBe("bca");
  expect(names("name")).toBe("abc");
  expect(names("flags")).toBe("abc");
  expect(names("missing")).toBe("cba");
  expect(names("drift")).toBe("abc");
  expect(names("truth")).toBe("cba");
});

it("names each comparison once", () => {
  const set = { run: "first", name: "file:a.csv", title: "a.csv", steps: [] } satisfies SetEntry;
  const all = [
    { type: "none" },
    { type: "rest" },
    { type: "split", column: "split", value: "test" },
    { type: "set", set },
  ] as const;
  expect(new Set(all.map(keyOf)).size).toBe(4);
  expect(all.map(titleOf)).toEqual(["nothing", "all rows", "split = test", "a.csv of first"]);
});
