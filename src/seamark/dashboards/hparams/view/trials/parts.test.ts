import { expect, test } from "vitest";
import { EVERY, partNames, standIns } from "./parts";

const HEIRS = new Map([
  ["fit0/train", "fit0"],
  ["fit0/validation", "fit0"],
  ["fit1/train", "fit1"],
]);
const RUNS = ["fit0", "fit0/train", "fit0/validation", "fit1", "fit1/train", "alone", "constructor"];
const shown = (part: string): string[] => standIns(RUNS, HEIRS, part).map((row) => RUNS[row]!);

test("one part stands for a trial, what it was not trained on before what it was; another where it has none", () => {
  expect(partNames(HEIRS)).toEqual(["validation", "train"]);
  expect(shown("validation")).toEqual(["fit0/validation", "fit1/train", "alone", "constructor"]);
  expect(shown("train")).toEqual(["fit0/train", "fit1/train", "alone", "constructor"]);
  expect(shown(EVERY)).toEqual(RUNS);
});

test("where there are no parts, nothing is left out; a trial whose parts the filter left out stands for itself", () => {
  expect([partNames(new Map()), standIns(["a", "b"], new Map(), "validation")]).toEqual([[], [0, 1]]);
  expect(standIns(["fit0", "alone"], HEIRS, "train")).toEqual([0, 1]);
});
