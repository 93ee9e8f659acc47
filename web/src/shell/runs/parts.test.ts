import { expect, test } from "vitest";
import { partStyle } from "./parts";
import { runsNamed } from "./testing.svelte";

/** Trainings as torch logs them, each with two curves and a note of its results. */
function trainings(count: number) {
  const names = Array.from({ length: count }, (_, index) => `run${index}`);
  const made = runsNamed(...names.flatMap((run) => [run, `${run}/loss_train`, `${run}/loss_val/deep`, `${run}/170.5`]));
  made.merge(
    Object.fromEntries(
      names.flatMap((run) => [
        [`${run}/loss_train`, { merged_into: run, curve: "train" }],
        [`${run}/loss_val/deep`, { merged_into: run, curve: "val/deep" }],
        [`${run}/170.5`, { merged_into: run }],
      ]),
    ),
  );
  return made;
}

test("nine trainings with their folders are nine rows in nine colours", () => {
  const { runs } = trainings(9);
  expect([runs.rows.length, runs.count, runs.shownRows.length, runs.shown.length]).toEqual([9, 9, 9, 36]);
  expect(new Set(runs.shown.map((run) => runs.styleOf(run).token)).size).toBe(9);
  const parts = ["run1", "run1/loss_train", "run1/loss_val/deep", "run1/170.5"].map((run) => runs.styleOf(run));
  expect(parts.map(({ label, dashed }) => [label, dashed])).toEqual([
    ["run1", false],
    ["run1 · train", false],
    ["run1 · val/deep", true],
    ["run1", false],
  ]);
  expect(runs.entries[1]!.run.points).toBe(40 + 50 + 60 + 70);
});

test("the address makes them runs of their own, as in TensorBoard", () => {
  const { runs, params } = trainings(2);
  params.set("foldersAsRuns", "true");
  expect([runs.count, runs.mergedCount, runs.styleOf("run0/loss_train").label]).toEqual([8, 6, "run0/loss_train"]);
});

test("a row is checked with its folders, and a link that names a folder shows that one", () => {
  const { runs, params } = trainings(2);
  runs.check(["run0"], false);
  expect([runs.shownRows, params.get("runs")]).toEqual([["run1"], "-run0"]);
  params.set("runs", "run0/loss_train");
  expect([runs.shown, runs.isChecked("run0"), runs.isChecked("run0/loss_train")]).toEqual([
    ["run0/loss_train"],
    false,
    true,
  ]);
  runs.check(["run0"], true);
  expect([runs.shown.length, params.get("runs")]).toEqual([4, "run0"]);
  params.set("runs", "-run0/loss_train");
  expect(runs.shown).toEqual(
    runs.matching
      .flatMap(({ name }) => [name, ...runs.parts.of(name).map((p) => p.name)])
      .filter((name) => name !== "run0/loss_train"),
  );
  params.set("runs", undefined as unknown as string);
  runs.limitTo(["run1/loss_train", "run1"]);
  expect(runs.shownRows).toEqual(["run1"]);
});

test("a folder in focus is its run in focus; a filter that matches only folders shows those", () => {
  const { runs, params } = trainings(2);
  params.set("focus", "run1/loss_train");
  expect(runs.focused).toBe("run1");
  runs.setFocus("run0/170.5");
  expect([runs.focused, params.get("focus")]).toEqual(["run0", "run0"]);
  runs.query = "run1/loss";
  expect([runs.shown, runs.focused]).toEqual([["run1/loss_train", "run1/loss_val/deep"], null]);
  runs.query = "^run1$";
  expect(runs.shown.length).toBe(4);
});

test("further curves are paler, and their strokes mean the same in all runs", () => {
  const row = { token: "--run-14", dashed: true };
  expect([0, 1, 2, 5].map((place) => partStyle(row, place))).toEqual([
    { token: "--run-14", dashed: false },
    { token: "--run-14", dashed: true },
    { token: "--run-14 30%", dashed: false },
    { token: "--run-14 60%", dashed: true },
  ]);
});
