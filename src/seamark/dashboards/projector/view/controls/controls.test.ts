import { expect, test } from "vitest";
import type { ColumnEntry, EmbeddingEntry } from "../wire";
import {
  clusterChoices,
  clusterLabel,
  columnLabel,
  entryLabel,
  exampleQuery,
  groupedByRun,
  listingNotes,
  shapeText,
} from "./choices";
import { typedNumber } from "./numbers";

const CLASS: ColumnEntry = { name: "class", type: "category", distinct: 20, has_numbers: false };
const LOSS: ColumnEntry = { name: "loss", type: "number", distinct: 0, has_numbers: true };
const FILE: ColumnEntry = { name: "file name", type: "text", distinct: 50_000, has_numbers: false };
const entry = (run: string, title: string): EmbeddingEntry => ({ run, name: `file:${title}`, title, steps: [] });

test("entries are listed run by run and named after both", () => {
  const entries = [entry("b", "pool"), entry("a", "pool"), entry("b", "head")];
  expect(groupedByRun(entries).map(({ run, title }) => `${run}/${title}`)).toEqual(["b/pool", "b/head", "a/pool"]);
  expect(entryLabel(entries[0]!, (run) => run.toUpperCase())).toBe("B · pool");
  expect(entryLabel(entry("", "words.npy"), () => "?")).toBe("words.npy");
});

test("what the list leaves out is said in the server's words", () => {
  const problems = ["a", "b"].map((run) => ({ run, path: "x.npy", message: "it is cut off" }));
  const notes = listingNotes({ embeddings: [], more: true, problems }, (run) => run.toUpperCase());
  expect(notes).toEqual([
    "it is cut off: 'A/x.npy'",
    "it is cut off: 'B/x.npy'",
    "the folders have more files than can be listed",
  ]);
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

test("the example of a query can be typed as it is", () => {
  expect(exampleQuery([LOSS, CLASS])).toBe('class == "…"');
  expect(exampleQuery([LOSS, { ...CLASS, name: "digit", has_numbers: true }])).toBe("digit == 0");
  expect(exampleQuery([LOSS, FILE])).toBe('`file name` == "…"');
  expect(exampleQuery([{ ...LOSS, name: "sepal-length" }])).toBe("`sepal-length` > 0");
  expect(exampleQuery([])).toBe("A query over the metadata");
});

test("the shape says rows, dimensions and type", () => {
  const info = { rows: 50_000, dimensions: 256, dtype: "float16" } as Parameters<typeof shapeText>[0];
  expect(shapeText(info)).toBe("50,000 × 256, float16");
});

test("typed numbers may have separators, or the word for 0", () => {
  expect([typedNumber("1,000"), typedNumber(" 0.5 "), typedNumber("Auto", "auto")]).toEqual([1000, 0.5, 0]);
  expect([typedNumber(""), typedNumber("auto"), typedNumber("12x")]).toEqual([null, null, null]);
});
