import { expect, test } from "vitest";
import type { EmbeddingRef } from "../wire";
import { pairsOf, uploadPair, type DroppedPair } from "./dropped_files";

const file = (name: string, size = 100): File => ({ name, size }) as File;
const named = (pairs: readonly DroppedPair[]) => pairs.map(({ vectors, metadata }) => [vectors.name, metadata?.name]);

/** In every order. */
function orders<One>(files: readonly One[]): One[][] {
  if (files.length < 2) return [[...files]];
  return files.flatMap((first, at) => orders(files.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

test("vectors and their metadata are paired in any order", () => {
  for (const names of [
    ["d.npy", "d.metadata.tsv"],
    ["words.npz", "labels.csv"],
    ["vectors.tsv", "metadata.tsv"],
    ["words.npy", "words.csv"],
    ["words.safetensors", "table.parquet"],
  ])
    for (const files of orders(names.map((name) => file(name)))) expect(named(pairsOf(files))).toEqual([names]);
});

test("several embeddings have their own metadata each", () => {
  const files = [file("a.npy", 9), file("a.metadata.tsv"), file("b.npy", 8), file("b.metadata.csv")];
  const pairs = [["a.npy", "a.metadata.tsv"], ["b.npy", "b.metadata.csv"]]; // prettier-ignore
  for (const order of orders(files)) expect(named(pairsOf(order))).toEqual(pairs);
  expect(named(pairsOf([file("a.npy", 9), file("b.npy", 8)]))).toEqual([["a.npy", undefined], ["b.npy", undefined]]); // prettier-ignore
});

test("of two tables the larger one has the vectors, and if not, the other", async () => {
  const [small, large] = [file("names.tsv", 10), file("numbers.tsv", 99)];
  for (const files of [[small, large], [large, small]]) expect(named(pairsOf(files))).toEqual([["numbers.tsv", "names.tsv"]]); // prettier-ignore
  const sent: string[] = [];
  const upload = (one: File, metadataOf = ""): Promise<EmbeddingRef> => {
    sent.push(`${one.name} ${metadataOf}`.trim());
    if (one === large && metadataOf === "") return Promise.reject(new Error("line 1 has 'a', want a number"));
    return Promise.resolve({ run: "", name: "upload:1" });
  };
  const [pair] = pairsOf([small, large]);
  await expect(uploadPair({ upload }, pair!)).resolves.toEqual({ run: "", name: "upload:1" });
  expect(sent).toEqual(["numbers.tsv", "names.tsv", "numbers.tsv upload:1"]);
});
