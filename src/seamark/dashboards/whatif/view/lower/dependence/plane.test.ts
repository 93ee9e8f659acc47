import { expect, test } from "vitest";
import type { PartialDependence } from "../../wire";
import { countsOf, histogram, planeOf, rampToken } from "./plane";

test("the plane has the second feature upwards, and shares between its smallest and largest score", () => {
  const result = { feature: "x", feature2: "y", grid: [0, 1], grid2: [false, true], mean: [0, 10, 20, null] };
  const plane = planeOf(result as unknown as PartialDependence);
  expect(plane).toMatchObject({ low: 0, high: 20 });
  expect(plane.cells.map(({ column, row, share }) => [column, row, share])).toEqual([
    [0, 1, 0],
    [1, 1, 0.5],
    [0, 0, 1],
  ]);
  expect(plane.cells[2]!.title).toBe("x 0, y true: 20");
});

test("the ramp has seven colours", () => {
  expect([0, 0.5, 1].map(rampToken)).toEqual(["var(--q1)", "var(--q4)", "var(--q7)"]);
});

test("values are counted in bins, names one by one", () => {
  expect(histogram([0, 1, 1, 2, 4, NaN, 9], 0, 4, 4)).toEqual([1, 2, 1, 1]);
  expect(histogram([3, 3], 3, 3, 2)).toEqual([0, 0]);
  expect(countsOf([0, 2, 2, -1], [2, 0, 5])).toEqual([2, 1, 0]);
});
