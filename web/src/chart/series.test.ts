import { expect, test } from "vitest";
import type { SeriesBlock } from "../data/api";
import { attemptOf, joinSets, restartsOf, seriesOf, withRowX, xAt } from "./series";

const f64 = (...values: number[]): Float64Array => Float64Array.from(values);
const u32 = (...values: number[]): Uint32Array => Uint32Array.from(values);

export function blockOf(extra: SeriesBlock["columns"] = {}): SeriesBlock {
  return {
    tag: "loss",
    runs: ["a", "b"],
    columns: {
      offsets: f64(0, 2, 3),
      step_last: f64(10, 20, 15),
      wall_last: f64(100, 103, 50),
      mean: f64(1, 2, NaN),
      min: f64(0.5, 2, NaN),
      max: f64(1.5, 2, NaN),
      count: u32(4, 1, 1),
      nan: u32(0, 0, 1),
      posinf: u32(0, 0, 0),
      neginf: u32(0, 1, 0),
      ...extra,
    },
  };
}

test("runs become series; downsampled rows and values that are no numbers are known", () => {
  const set = seriesOf(blockOf(), { axis: "step" });
  expect([...set.offsets]).toEqual([0, 2, 3]);
  expect([...set.x]).toEqual([10, 20, 15]);
  expect(set.series.map(({ key, points, isDownsampled }) => [key, points, isDownsampled])).toEqual([
    ["a", 5, true],
    ["b", 1, false],
  ]);
  expect([...set.marks]).toEqual([1, 2]);
  expect([...set.low!]).toEqual([0.5, 2, NaN]);
});

test("without downsampled rows there is no envelope, and without smoothing one column is both curve and raw line", () => {
  const set = seriesOf(blockOf({ count: u32(1, 1, 1) }), { axis: "step" });
  expect([set.low, set.high, set.curve === set.raw]).toEqual([null, null, true]);
  const smooth = seriesOf(blockOf({ smoothed: f64(7, 8, 9) }), { axis: "step" });
  expect([[...smooth.curve], [...smooth.raw]]).toEqual([
    [7, 8, 9],
    [1, 2, NaN],
  ]);
});

test("what was logged behind the rows goes along, also into a joined set, where a computed line is its own", () => {
  const set = seriesOf(blockOf({ last: f64(7, 8, NaN) }), { axis: "step" });
  expect([[...set.logged!.last!], [...set.logged!.count!]]).toEqual([
    [7, 8, NaN],
    [4, 1, 1],
  ]);
  const { logged: _, ...computed } = set;
  const joined = joinSets([set, computed]);
  expect([...joined.logged!.last!]).toEqual([7, 8, NaN, 1, 2, NaN]);
  expect([...joined.logged!.nan!].slice(0, 3)).toEqual([0, 0, 1]);
  const { mean: _mean, ...columns } = blockOf({ smoothed: f64(1, 2, 3) }).columns;
  expect(seriesOf({ ...blockOf(), columns }, { axis: "step" }).logged).toBeUndefined();
});

test("relative time starts with each run, also when only a window of it is here", () => {
  expect([...seriesOf(blockOf(), { axis: "relative" }).x]).toEqual([0, 3, 0]);
  const window = seriesOf(blockOf(), { axis: "relative", beganOf: (run) => (run === "a" ? 90 : undefined) });
  expect([...window.x]).toEqual([10, 13, 0]);
});

test("what a restart replaced is a series of its own, with a mark where the restart was", () => {
  const set = seriesOf(
    {
      tag: "t",
      runs: ["a", "b"],
      columns: {
        offsets: f64(0, 7, 8),
        step_last: f64(2, 3, 0, 1, 2, 3, 4, 9),
        mean: f64(8, 8, 1, 1, 1, 1, 1, 5),
        wall_last: f64(12, 13, 10, 11, 22, 23, 24, 7),
        attempt: u32(0, 0, 1, 1, 1, 1, 1, 0),
        replaced: u32(1, 1, 0, 0, 0, 0, 0, 0),
      },
    },
    { axis: "relative" },
  );
  expect([...set.offsets]).toEqual([0, 2, 7, 8]);
  expect(set.series.map(({ key, replaced }) => [key, replaced ?? false])).toEqual([
    ["a", true],
    ["a", false],
    ["b", false],
  ]);
  expect([...set.x]).toEqual([2, 3, 0, 1, 12, 13, 14, 0]);
  expect(restartsOf(set, [0, 1, 2])).toEqual([{ x: 2, series: 0 }]);
  expect(restartsOf(set, [1, 2])).toEqual([]);
  expect([attemptOf(set, 0, 0), attemptOf(set, 1, 3), attemptOf(set, 1, 4), attemptOf(set, 2, 7)]).toEqual([
    0,
    0,
    1,
    null,
  ]);
});

test("a run whose last attempt lost points is told apart, too", () => {
  const set = seriesOf(
    {
      tag: "t",
      runs: ["a"],
      columns: {
        offsets: f64(0, 3),
        step_last: f64(5, 0, 1),
        mean: f64(1, 1, 1),
        attempt: u32(0, 0, 0),
        replaced: u32(1, 0, 0),
      },
    },
    { axis: "step" },
  );
  expect([...set.offsets]).toEqual([0, 1, 3]);
});

test("attempts of a run are series of their own", () => {
  const set = seriesOf(
    {
      tag: "t",
      runs: ["a", "none", "b"],
      columns: {
        offsets: f64(0, 4, 4, 5),
        step_last: f64(1, 2, 1, 2, 9),
        mean: f64(1, 2, 3, 4, 5),
        attempt: u32(0, 0, 1, 1, 0),
      },
    },
    { axis: "step" },
  );
  expect([...set.offsets]).toEqual([0, 2, 4, 4, 5]);
  expect(set.series.map(({ key, attempt }) => `${key}${attempt}`)).toEqual(["a0", "a1", "none0", "b0"]);
});

test("only the columns that are needed have to be there", () => {
  const set = seriesOf(
    { tag: "t", runs: ["a"], columns: { offsets: f64(0, 2), step_last: f64(1, 2), smoothed: f64(3, 4) } },
    { axis: "step" },
  );
  expect([set.series[0]!.points, set.wall, set.marks.length, [...set.curve]]).toEqual([2, null, 0, [3, 4]]);
});

test("smoothed values that come alone are not taken for raw ones", () => {
  const set = seriesOf(
    { tag: "t", runs: ["a"], columns: { offsets: f64(0, 2), step_last: f64(1, 2), smoothed: u32(3, 4) } },
    { axis: "step" },
  );
  expect(set.rawLeftOut).toBe(true);
  expect(set.raw).toBe(set.curve);
  const whole = seriesOf(blockOf(), { axis: "step" });
  expect([whole.rawLeftOut, joinSets([whole, set]).rawLeftOut, joinSets([whole, whole]).rawLeftOut]).toEqual([
    false,
    true,
    false,
  ]);
});

test("columns keep their types, and steps that all runs share stay one column", () => {
  const block = {
    ...blockOf({ step_last: Int32Array.of(10, 20), count: Uint8Array.of(4, 1), mean: Float32Array.of(1, 2, 3) }),
    shared: new Set(["step_last", "count"]),
  };
  const set = seriesOf(block, { axis: "step" });
  expect([set.x, set.step, set.curve]).toEqual([
    Int32Array.of(10, 20),
    Int32Array.of(10, 20),
    Float32Array.of(1, 2, 3),
  ]);
  expect([xAt(set, 0, 1), xAt(set, 1, 2)]).toEqual([20, 10]);
  expect(set.series.map(({ points }) => points)).toEqual([5, 4]);
  expect(withRowX(set)).toMatchObject({
    x: Int32Array.of(10, 20, 10),
    step: Int32Array.of(10, 20, 10),
    sharedX: false,
  });
  expect([...joinSets([set, set]).x]).toEqual([10, 20, 10, 10, 20, 10]);
});

test("series that begin inside a run have steps of their own", () => {
  const block = {
    ...blockOf({ step_last: Int32Array.of(10, 20), attempt: u32(0, 1, 0), replaced: u32(1, 0, 0) }),
    shared: new Set(["step_last"]),
  };
  const set = seriesOf(block, { axis: "step" });
  expect([...set.offsets]).toEqual([0, 1, 2, 3]);
  expect([set.sharedX, [...set.x]]).toEqual([false, [10, 20, 10]]);
});

test("sets are joined row by row", () => {
  const one = seriesOf(blockOf(), { axis: "step" });
  const plain = seriesOf(blockOf({ count: u32(1, 1, 1) }), { axis: "step" });
  const both = joinSets([plain, one]);
  expect([...both.offsets]).toEqual([0, 2, 3, 5, 6]);
  expect([...both.marks]).toEqual([1, 2, 4, 5]);
  expect([...both.low!]).toEqual([1, 2, NaN, 0.5, 2, NaN]);
  expect(both.curve).toBe(both.raw);
});
