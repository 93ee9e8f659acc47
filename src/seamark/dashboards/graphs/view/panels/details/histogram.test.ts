import { expect, test } from "vitest";
import { smallHistogram } from "./histogram";

const block = (steps: number[], offsets: number[], buckets: [number, number, number][]) => ({
  step: Float64Array.from(steps),
  offsets: Float64Array.from(offsets),
  left: Float64Array.from(buckets, ([left]) => left),
  right: Float64Array.from(buckets, ([, right]) => right),
  count: Float64Array.from(buckets, ([, , count]) => count),
});

test("the last histogram is the one that is drawn", () => {
  const two = block(
    [1, 2],
    [0, 1, 3],
    [
      [5, 6, 9],
      [0, 1, 4],
      [1, 2, 2],
    ],
  );
  expect(smallHistogram(two, 2)).toMatchObject({ bars: [1, 0.5], step: 2 });
});

test("a wide bucket is spread over the bars that it covers", () => {
  expect(
    smallHistogram(
      block(
        [1],
        [0, 2],
        [
          [0, 3, 6],
          [3, 4, 2],
        ],
      ),
      4,
    )?.bars,
  ).toEqual([1, 1, 1, 1]);
});

test("a single value is one bar", () => {
  expect(smallHistogram(block([1], [0, 1], [[2, 2, 7]]), 3)?.bars).toEqual([1, 0, 0]);
});

test("empty and infinite buckets are left out", () => {
  expect(
    smallHistogram(
      block(
        [1],
        [0, 2],
        [
          [0, 1, 0],
          [1, Infinity, 3],
        ],
      ),
      4,
    ),
  ).toBeNull();
  expect(smallHistogram(block([], [], []), 4)).toBeNull();
});

test("the deviation is that of the middles of the buckets", () => {
  expect(
    smallHistogram(
      block(
        [1],
        [0, 2],
        [
          [-2, 0, 5],
          [0, 2, 5],
        ],
      ),
      4,
    )?.deviation,
  ).toBe(1);
});
