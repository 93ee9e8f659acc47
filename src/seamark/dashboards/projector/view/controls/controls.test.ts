import { expect, test } from "vitest";
import type { ColumnEntry, EmbeddingEntry } from "../wire";
import { clusterChoices, clusterLabel, columnLabel, entryLabel, groupedByRun, shapeText } from "./choices";
import { typedNumber } from "./numbers";
import { asQueryError, columnTerm, completeColumn } from "./query";

const CLASS: ColumnEntry = { name: "class", type: "category", distinct: 20 };
const LOSS: ColumnEntry = { name: "loss", type: "number", distinct: 0 };
const FILE: ColumnEntry = { name: "file name", type: "text", distinct: 50_000 };
const entry = (run: string, title: string): EmbeddingEntry => ({ run, name: `file:${title}`, title, steps: [] });

test("entries are listed run by run and named after both", () => {
  const entries = [entry("b", "pool"), entry("a", "pool"), entry("b", "head")];
  expect(groupedByRun(entries).map(({ run, title }) => `${run}/${title}`)).toEqual(["b/pool", "b/head", "a/pool"]);
  expect(entryLabel(entries[0]!, (run) => run.toUpperCase())).toBe("B · pool");
  expect(entryLabel(entry("", "words.npy"), () => "?")).toBe("words.npy");
});

test("columns are named with their type and number of values", () => {
  expect([CLASS, LOSS, FILE].map(columnLabel)).toEqual(["class, 20 values", "loss, numbers", "file name, text"]);
  expect(columnLabel({ ...CLASS, distinct: 1 })).toBe("class, 1 value");
});

test("clusters come from categories, k-means or density", () => {
  const choices = clusterChoices([CLASS, LOSS, FILE]);
  expect(choices).toEqual(["off", "column:class", "kmeans", "density"]);
  expect(choices.map(clusterLabel)).toEqual(["off", "from class", "k-means", "by density"]);
});

test("the shape says rows, dimensions and type", () => {
  const info = { rows: 50_000, dimensions: 256, dtype: "float16" } as Parameters<typeof shapeText>[0];
  expect(shapeText(info)).toBe("50,000 × 256, float16");
});

test("typed numbers may have separators, or the word for 0", () => {
  expect([typedNumber("1,000"), typedNumber(" 0.5 "), typedNumber("Auto", "auto")]).toEqual([1000, 0.5, 0]);
  expect([typedNumber(""), typedNumber("auto"), typedNumber("12x")]).toEqual([null, null, null]);
});

test("a query is completed with the columns that begin with its last word", () => {
  const found = completeColumn([CLASS, LOSS, FILE], 'class == "é" and lo', 19);
  expect(found).toEqual({ from: 17, to: 19, options: [{ text: "loss", kind: "column", detail: "number" }] });
  expect(completeColumn([CLASS, LOSS], "", 0).options).toHaveLength(2);
  expect(columnTerm("file name")).toBe("`file name`");
});

test("an error with a position is underlined there", () => {
  const failure = Object.assign(new Error("no column 'x'"), { details: { at: 4, length: 2 } });
  expect(asQueryError(failure)).toMatchObject({ message: "no column 'x'", at: 4, length: 2 });
  const plain = new Error("unreachable");
  expect(asQueryError(plain)).toBe(plain);
  expect(asQueryError(null)).toBeNull();
});
