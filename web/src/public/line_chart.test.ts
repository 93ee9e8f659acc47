import { expect, test } from "vitest";
import { LineChartModel, setOfLines } from "./line_chart.svelte";
import type { DashboardContext } from "./plugin";
import type { ChartSpec } from "./view_types";

/** A page with the runs a and b, of which `shown` are shown. */
function contextWith(shown: readonly string[], focused: string | null = null): DashboardContext {
  return {
    catalogue: { runs: [{ name: "a" }, { name: "b" }], tags: () => [{ tag: "loss", runs: ["a", "b"] }] },
    runs: {
      shown,
      focused,
      isShown: (run: string) => shown.includes(run),
      rowOf: (run: string) => run,
      styleOf: (run: string) => ({ token: `--${run}`, colour: "", dashed: false, label: `run ${run}`, live: false }),
    },
    settings: { axis: "step", smoothing: 0, attempts: "latest" },
    revisionOf: () => 0,
  } as unknown as DashboardContext;
}

const modelOf = (spec: Omit<ChartSpec, "label">, context = contextWith(["a", "b"])): LineChartModel =>
  new LineChartModel(context, () => ({ label: "", ...spec }));

test("lines become series one after the other, as long as the shorter of x and y", () => {
  const set = setOfLines(
    [
      { key: "a", x: [0, 1, 2], y: [5, 6] },
      { key: "b", name: "B", x: Float32Array.of(3), y: [7] },
    ],
    "step",
  );
  expect([[...set.offsets], [...set.x], [...set.curve]]).toEqual([
    [0, 2, 3],
    [0, 1, 3],
    [5, 6, 7],
  ]);
  expect(set.series.map(({ key, name, points }) => [key, name, points])).toEqual([
    ["a", "a", 2],
    ["b", "B", 1],
  ]);
  expect([set.sorted, set.step === set.x, set.wall]).toEqual([true, true, null]);
});

test("values that are not finite are marked, and x may go back", () => {
  const set = setOfLines([{ key: "a", x: [0, 2, 1], y: [1, Infinity, NaN] }], "metric");
  expect([[...set.marks], set.sorted, set.step]).toEqual([[1, 2], false, null]);
  expect([...set.curve]).toEqual([1, NaN, NaN]);
});

test("a line whose key is a run has its colour and name, and is hidden and in focus with it", () => {
  const series = [
    { key: "a", x: [0], y: [1] },
    { key: "mean of b", run: "b", x: [0], y: [1], dashed: true, colour: "#123456" },
    { key: "target", x: [0], y: [1] },
  ];
  const model = modelOf({ series }, contextWith(["b"], "b"));
  expect(model.set!.series.map(({ key }) => key).filter(model.isShown)).toEqual(["mean of b", "target"]);
  expect(["a", "mean of b", "target"].map(model.nameOf)).toEqual(["run a", "run b", "target"]);
  expect(model.styleOf("a")).toMatchObject({ token: "--a", dashed: false });
  expect(model.styleOf("mean of b")).toMatchObject({ token: "#123456", dashed: true });
  expect(model.styleOf("target").token).toBe("--run-3");
  expect([...model.focus, model.runOf("target")]).toEqual(["mean of b", undefined]);
});

test("there is nothing to draw before the first response, and an empty set without series", () => {
  expect(modelOf({ series: [{ tag: "loss" }] }).set).toBeNull();
  expect(modelOf({ series: [] }).set!.series).toEqual([]);
});

test("a chart shares the cursor with others that have the same x axis", () => {
  expect([modelOf({ series: [] }).sharesCursor, modelOf({ series: [], axis: "wall" }).sharesCursor]).toEqual([
    true,
    false,
  ]);
});
