import { expect, test } from "vitest";
import { frameOf } from "./frame";
import { endLabels, labelWidth } from "./labels";
import { LINEAR } from "./scale";
import { all, setOf } from "./testing";

const frame = frameOf({
  width: 400,
  height: 125,
  unit: "step",
  x: { from: 0, to: 1 },
  y: { from: 0, to: 10 },
  xScale: LINEAR,
  yScale: LINEAR,
  labelWidth: 50,
});
const scopeOf = (...lines: number[][]) => {
  const set = setOf(...lines);
  return { set, shown: all(set) };
};

test("labels stand where lines end and never touch", () => {
  const labels = endLabels(scopeOf([0, 5], [0, 5.1], [0, 9]), frame);
  expect(labels.map(({ series }) => series)).toEqual([2, 1, 0]);
  expect(labels[2]!.at - labels[1]!.at).toBe(12);
});

test("a crowd at the bottom moves up, not out", () => {
  const labels = endLabels(scopeOf([0, 0], [0, 0], [0, 0]), frame);
  expect(labels.map(({ at }) => at)).toEqual([frame.bottom - 24, frame.bottom - 12, frame.bottom]);
});

test("more than five lines have no labels, and a long name keeps its end", () => {
  expect(endLabels(scopeOf([1], [1], [1], [1], [1], [1]), frame)).toEqual([]);
  expect(labelWidth(scopeOf([1], [1], [1], [1], [1], [1]))).toBe(0);
  const { set, shown } = scopeOf([1, 2]);
  const long = { ...set, series: [{ ...set.series[0]!, name: "a very long name of a run/lr1e-3_seed7" }] };
  expect(endLabels({ set: long, shown }, frame)[0]!.name).toMatch(/^….*seed7$/);
});
