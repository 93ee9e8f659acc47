import { expect, test } from "vitest";
import { LineChartModel } from "./line_chart.svelte";
import type { DashboardContext } from "./plugin";
import type { Axis, ChartSpec, Limits, Line } from "./view_types";

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

test("steps without wall times are never drawn as times", () => {
  const context = { ...contextWith(["a"]), settings: { axis: "wall", smoothing: 0, attempts: "latest" } };
  const unitOf = (line: Partial<Line>, axis?: Axis) =>
    modelOf({ series: [{ key: "a", x: [0], y: [1], ...line }], ...(axis ? { axis } : {}) }, context as never).unit;
  expect([unitOf({}), unitOf({ wall: [100] }), unitOf({}, "relative")]).toEqual(["step", "wall", "relative"]);
});

test("a view may own the zoom, and gets what a person zoomed to either way", () => {
  const zoomed: Limits[] = [];
  const [all, part] = [
    { x: null, y: null },
    { x: { from: 1, to: 2 }, y: null },
  ];
  const free = modelOf({ series: [], onZoom: (limits) => zoomed.push(limits) });
  const owned = modelOf({ series: [], limits: all, onZoom: (limits) => zoomed.push(limits) });
  for (const model of [free, owned]) model.zoom(part);
  expect([free.limits, owned.limits, zoomed]).toEqual([part, all, [part, part]]);
});
