import { expect, it } from "vitest";
import type { FeatureStatistics } from "../../wire";
import { barsOf } from "./bars";

const base = { rows: 10, missing: 2, edges: [], histogram: [], other_histogram: [], top: [] };
const feature = (more: object): FeatureStatistics => ({ ...base, ...more }) as unknown as FeatureStatistics;

it("draws bins as shares, so that sets of different sizes compare", () => {
  const bars = barsOf(feature({ edges: [0, 1, 2], histogram: [6, 2], other_histogram: [50, 50] }), 100);
  expect(bars.map(({ height }) => height)).toEqual([1, 0.25 / 0.75]);
  expect(bars.map(({ otherHeight }) => otherHeight)).toEqual([0.5 / 0.75, 0.5 / 0.75]);
  expect(bars.map(({ name }) => name)).toEqual(["0 to 1", "1 to 2"]);
});

it("draws the most frequent values of a category", () => {
  const bars = barsOf(
    feature({
      top: [
        { name: "a", count: 6, other: 0 },
        { name: "", count: 2, other: 0 },
      ],
    }),
    0,
  );
  expect(bars.map(({ name, otherHeight }) => [name, otherHeight])).toEqual([
    ["a", null],
    ["missing", null],
  ]);
});

it("draws nothing of a text", () => {
  expect(barsOf(feature({}), 0)).toEqual([]);
});
