import { expect, test } from "vitest";
import { draftOf, droppedByKind, ruleOf, ruleProblem } from "./retention";

test("a rule survives the form", () => {
  for (const rule of [
    { kinds: ["images", "audio"], keep_days: 90, runs: "^sweep/" },
    { kinds: "all" as const, keep_days: 0, runs: "" },
  ])
    expect(ruleOf(draftOf(rule))).toEqual(rule);
});

test("what is missing is said", () => {
  expect(ruleProblem({ kinds: "images", keepDays: "90", runs: "" })).toBe("");
  expect(ruleProblem({ kinds: " ", keepDays: "90", runs: "" })).toContain("kinds");
  expect(ruleProblem({ kinds: "images", keepDays: "", runs: "" })).toContain("days");
  expect(ruleProblem({ kinds: "images", keepDays: "-1", runs: "" })).toContain("days");
});

test("dropped bytes are summed by kind, the largest first", () => {
  const file = (dropped: Record<string, number>) => ({ run: "a", path: "events", bytes: 9, dropped });
  const answer = {
    runs: ["a"],
    files: [file({ images: 1, audio: 5 }), file({ images: 7 })],
    total_files: 2,
    dropped_bytes: 13,
  };
  expect(droppedByKind(answer)).toEqual([
    ["images", 8],
    ["audio", 5],
  ]);
});
