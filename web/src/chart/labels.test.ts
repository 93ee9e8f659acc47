import { expect, test } from "vitest";
import { frameOf } from "./frame";
import { endLabels, fitsEnds, labelWidth, legendOf } from "./labels";
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
  labelWidth: 100,
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

test("more than eight lines have no labels, nor does a small chart, and a long name keeps its end", () => {
  const lines = Array.from({ length: 9 }, () => [1]);
  const size = { width: 400, height: 125 };
  expect(labelWidth(scopeOf(...lines), size)).toBe(0);
  expect(labelWidth(scopeOf(...lines.slice(1)), size)).toBeGreaterThan(0);
  expect(labelWidth(scopeOf(...lines.slice(1)), { width: 200, height: 125 })).toBe(0);
  expect(labelWidth(scopeOf(...lines.slice(1)), { width: 400, height: 90 })).toBe(0);
  expect(endLabels(scopeOf([1]), { ...frame, labelWidth: 0 })).toEqual([]);
  const { set, shown } = scopeOf([1, 2]);
  const long = { ...set, series: [{ ...set.series[0]!, name: "a very long name of a run/lr1e-3_seed7" }] };
  expect(endLabels({ set: long, shown }, frame)[0]!.name).toMatch(/^….*seed7$/);
});

test("a legend has every name in full, in rows, and says how many have no room", () => {
  const scope = scopeOf(...Array.from({ length: 7 }, () => [1, 2]));
  const { entries, rows, leftOut } = legendOf(scope, { width: 170, maxRows: 9 });
  expect([entries.length, rows, leftOut]).toEqual([7, 3, 0]);
  expect(entries.map(({ row }) => row)).toEqual([0, 0, 0, 1, 1, 1, 2]);
  expect(legendOf(scope, { width: 170, maxRows: 2 })).toMatchObject({ rows: 3, leftOut: 1 });
  expect([fitsEnds(scope, { width: 400, height: 125 }), fitsEnds(scope, { width: 200, height: 125 })]).toEqual([
    true,
    false,
  ]);
});
