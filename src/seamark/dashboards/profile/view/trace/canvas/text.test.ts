import { expect, test } from "vitest";
import { TextFitter } from "./text";

const fitter = new TextFitter(() => 6);

test("a text that fits stays, others end in an ellipsis", () => {
  expect(fitter.fit("forward", 42)).toBe("forward");
  expect(fitter.fit("forward", 41)).toBe("forwa…");
  expect(fitter.fit("ncclDevKernel", 60)).toBe("ncclDevKe…");
});

test("two letters and an ellipsis tell nothing", () => {
  expect(fitter.fit("forward", 20)).toBe("");
});
