import { expect, test } from "vitest";
import type { Projection } from "../wire";
import { barHeights, movedMost, trailsOf } from "./movement";

const picture = (x: number[], z: number[] | null = null): Projection =>
  ({
    x: Float32Array.from(x),
    y: Float32Array.from(x, (value) => 10 * value),
    z: z && Float32Array.from(z),
  }) as Projection;

test("rows are chosen by how far they moved", () => {
  expect([...movedMost(Float32Array.of(0.5, NaN, 3, 0, 2), 2)]).toEqual([2, 4]);
  expect([...movedMost(Float32Array.of(0.5, NaN, 3, 0, 2), 9)]).toEqual([2, 4, 0]);
});

test("a trail has the positions of a row in the order of the pictures", () => {
  const trails = trailsOf([picture([1, NaN]), picture([2, 5]), picture([4, 6])], [0, 1]);
  expect(trails.map(({ row, x, y, z }) => [row, [...x], [...y], z])).toEqual([
    [0, [1, 2, 4], [10, 20, 40], null],
    [1, [5, 6], [50, 60], null],
  ]);
});

test("a single position is no trail, and depth needs three dimensions at every step", () => {
  expect(trailsOf([picture([1])], [0])).toEqual([]);
  expect(trailsOf([picture([1], [7]), picture([2], [8])], [0])[0]!.z).toEqual(Float32Array.of(7, 8));
  expect(trailsOf([picture([1], [7]), picture([2])], [0])[0]!.z).toBeNull();
});

test("the bars are scaled to the largest movement", () => {
  expect(barHeights([4, 2, NaN])).toEqual([0, 1, 0.5, 0]);
  expect(barHeights([0, 0])).toEqual([0, 0, 0]);
});
