import { expect, test } from "vitest";
import { recompileText, stepBlocks } from "./marks";

test("steps are placed along the trace", () => {
  const step = { name: "step 1", number: 1, start_ns: 150, duration_ns: 50, note: "" };
  expect(stepBlocks([step], 100, 300)).toEqual([{ leftPercent: 25, widthPercent: 25, title: "step 1" }]);
});

test("recompilations are told only if there are steps", () => {
  expect(recompileText(0, 0)).toBe("");
  expect(recompileText(0, 3)).toBe("No compilation inside steps.");
  expect(recompileText(1, 3)).toContain("1 compilation inside a step.");
  expect(recompileText(4, 3)).toContain("4 compilations inside");
});
