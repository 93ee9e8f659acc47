import { expect, test } from "vitest";
import type { DiffAnswer, DiffMetric } from "../../data/run";
import { bestAt, diffLines, divergenceWords, rowsShown, shortLabels, tagToDraw, toFirst } from "./model";

const metric = (tag: string, final: DiffMetric["final"], step: number | null = null): DiffMetric => {
  const divergence = step === null ? null : { run: "b", step, level: 3, rule: "" };
  return {
    tag,
    goal: tag.includes("loss") ? "min" : "max",
    is_result: /loss|acc/.test(tag),
    final,
    final_step: [],
    best: final,
    best_step: [],
    divergence,
    divergences: [null, divergence],
    note: "",
  };
};
const answer = (...metrics: readonly DiffMetric[]): DiffAnswer => ({
  runs: ["a", "b"],
  sections: [],
  metrics,
  tags_left_out: 0,
  git_diffs: [],
  problems: [],
});

test("only what differs is shown, or all, or what holds a text", () => {
  const rows = [
    { key: "lr", values: [0.1, 0.2], state: "changed" },
    { key: "seed", values: [0, 0], state: "same" },
    { key: "name", values: [null, "LRfinder"], state: "added" },
  ] as const;
  const keys = (isAll: boolean, find = ""): string[] => rowsShown(rows, { isAll, find }).map(({ key }) => key);
  expect(keys(false)).toEqual(["lr", "name"]);
  expect(keys(true)).toEqual(["lr", "seed", "name"]);
  expect(keys(true, " LR ")).toEqual(["lr", "name"]);
});

test("the metric drawn first is one that diverges and that every run has", () => {
  const metrics = [
    metric("lr", [1, 2], 5),
    metric("train/loss", [1, 2], 100),
    metric("val/loss", [1, null], 1),
    metric("val/accuracy", [1, 2]),
  ];
  expect(tagToDraw(answer(...metrics), undefined)?.tag).toBe("train/loss");
  expect(tagToDraw(answer(...metrics), "lr")?.tag).toBe("lr");
  expect(tagToDraw(answer(...metrics), "gone")?.tag).toBe("train/loss");
  expect(tagToDraw(answer(), undefined)).toBeUndefined();
});

test("differences are to the first run, and NaN has none", () => {
  const loss = metric("val/loss", [0.5, 0.25, "NaN", null]);
  expect(toFirst(loss.final, 0, loss)).toBeNull();
  expect(toFirst(loss.final, 1, loss)).toEqual({ text: "−0.2500", verdict: "better" });
  expect(toFirst(loss.final, 2, loss)).toEqual({ text: "", verdict: "" });
  expect(toFirst(loss.final, 3, loss)).toBeNull();
  expect(toFirst([1, 2], 1, metric("lr", [1, 2]))).toEqual({ text: "+1.0000", verdict: "" });
});

test("the winner is marked when there is one", () => {
  const winner = (tag: string, ...values: DiffMetric["final"]): number => bestAt(values, metric(tag, values));
  expect(winner("loss", 0.5, 0.25, null)).toBe(1);
  expect(winner("accuracy", 1, 1)).toBe(-1);
  expect(winner("accuracy", 1, "NaN")).toBe(-1);
  expect(winner("lr", 1, 2)).toBe(-1);
});

test("a divergence is described in words", () => {
  expect(divergenceWords({ step: 1200, level: -2.34 }, String)).toBe("from step 1200 on, by 2.3 times the noise");
  expect(divergenceWords({ step: 3, level: 1.3e6 }, String)).toBe("from step 3 on, by more than 1,000 times the noise");
  expect(divergenceWords({ step: 3, level: 27.8 }, String)).toBe("from step 3 on, by 28 times the noise");
  expect(divergenceWords({ step: 120, level: null }, String)).toBe(
    "from step 120 on: one has no finite value any more",
  );
});

test("the lines of a diff know what they are", () => {
  const text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-- old\n++ new\n";
  expect(diffLines(text).map(({ kind }) => kind)).toEqual(["file", "file", "file", "hunk", "", "del", "add"]);
});

test("folders that all runs are in are not told again and again", () => {
  expect(shortLabels(["sweep/lr1/s0", "sweep/lr2/s0"])).toEqual(["lr1/s0", "lr2/s0"]);
  expect(shortLabels(["a/b", "a/b/c", "b"])).toEqual(["a/b", "a/b/c", "b"]);
  expect(shortLabels(["a/b"])).toEqual(["a/b"]);
});
