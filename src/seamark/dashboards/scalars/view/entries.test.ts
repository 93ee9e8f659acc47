import { chartKeys } from "$public/charts";
import { expect, test } from "vitest";
import { entriesOf, groupCards, kindTitle, orderKinds, parseKinds, pinnedCards, toggleKind } from "./entries";

const tags: Readonly<Record<string, readonly string[]>> = {
  images: ["eval/sample", "train/loss"],
  scalars: ["train/loss", "train/accuracy", "lr"],
  histograms: ["train/weights"],
};
const entries = entriesOf(orderKinds(Object.keys(tags)), (kind) => tags[kind]!.map((tag) => ({ tag, runs: ["a"] })));

test("kinds share the groups of their prefixes, scalars first in each", () => {
  expect(
    groupCards(entries).map(({ prefix, entries: cards }) => [
      prefix,
      ...cards.map(({ kind, tag }) => `${kind}:${tag}`),
    ]),
  ).toEqual([
    ["train/", "scalars:train/accuracy", "scalars:train/loss", "histograms:train/weights", "images:train/loss"],
    ["", "scalars:lr"],
    ["eval/", "images:eval/sample"],
  ]);
});

test("a pin names kind and tag, and TensorBoard's pins of single runs make one card", () => {
  const byKey = new Map(entries.map((entry) => [chartKeys.card(entry), entry]));
  const pins = [
    { plugin: "images", tag: "train/loss", runId: "a", sample: 0 },
    { plugin: "images", tag: "train/loss", runId: "b", sample: 0 },
    { plugin: "scalars", tag: "train/loss" },
    { plugin: "scalars", tag: "eval/sample" },
    { plugin: "none", tag: "lr" },
  ];
  expect(pinnedCards(pins, byKey).map(chartKeys.card)).toEqual(["images\0train/loss", "scalars\0train/loss"]);
});

test("chips choose kinds; all of them is the same as none", () => {
  const known = ["scalars", "histograms", "images"];
  expect(parseKinds("images,nothing", known)).toEqual(new Set(["images"]));
  expect(parseKinds(undefined, known)).toEqual(new Set());
  expect(toggleKind(new Set(), "images", known)).toBe("images");
  expect(toggleKind(new Set(["images"]), "scalars", known)).toBe("scalars,images");
  expect(toggleKind(new Set(["images"]), "images", known)).toBeUndefined();
  expect(toggleKind(new Set(["scalars", "images"]), "histograms", known)).toBeUndefined();
});

test("a kind is called what people call it", () => {
  expect(["scalars", "pr_curves", "images"].map(kindTitle)).toEqual(["Scalars", "PR curves", "Images"]);
});
