import { expect, test } from "vitest";
import { partsOf, toneOf } from "./console_lines.svelte";

test("what was searched for can be told from the rest of its line", () => {
  expect(partsOf("step 1 LOSS 0.5 loss", "loss")).toEqual(["step 1 ", "LOSS", " 0.5 ", "loss", ""]);
  expect(partsOf("a.b", ".")).toEqual(["a", ".", "b"]);
  expect(partsOf("anything", "")).toEqual(["anything"]);
});

test("lines of trouble stand out", () => {
  expect(
    [
      "step 1",
      "UserWarning: slow",
      "warn  loader",
      "Traceback (most recent call last):",
      "ValueError: no",
      "ERROR disk",
      "errors: 0",
    ].map(toneOf),
  ).toEqual(["", "warn", "warn", "err", "err", "err", ""]);
});
