import { expect, test } from "vitest";
import { statisticsOf } from "./statistics";

const block = {
  tag: "loss",
  runs: ["a", "silent", "b"],
  columns: {
    offsets: Float64Array.of(0, 1, 1, 3),
    step: Float64Array.of(10, 0, 5),
    step_last: Float64Array.of(20, 0, 5),
    wall: Float64Array.of(100, 0, 50),
    wall_last: Float64Array.of(160, 0, 50),
    first: Float64Array.of(4, NaN, 2),
    last: Float64Array.of(1, NaN, 2),
    min: Float64Array.of(0.5, NaN, 2),
    max: Float64Array.of(6, NaN, 2),
    mean: Float64Array.of(2, NaN, 2),
    count: Uint32Array.of(11, 1, 1),
    nan: Uint32Array.of(1, 1, 0),
    posinf: Uint32Array.of(0, 0, 0),
    neginf: Uint32Array.of(0, 0, 0),
  },
};

test("one row for each run that has points in the range", () => {
  const [a, b] = statisticsOf(block);
  expect(a).toEqual({
    run: "a",
    points: 11,
    startStep: 10,
    endStep: 20,
    seconds: 60,
    start: 4,
    end: 1,
    min: 0.5,
    max: 6,
    mean: 2,
    change: -3,
    changeShare: -0.75,
  });
  expect(b).toMatchObject({ run: "b", points: 2, start: NaN, end: 2, min: 2, max: 2, mean: 2, change: NaN });
});
