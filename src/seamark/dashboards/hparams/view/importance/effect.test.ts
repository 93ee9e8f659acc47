import { expect, test } from "vitest";
import { effectPicture } from "./effect";

const flat = { low: [1, 1, 1], high: [3, 3, 3], n: [5, 5, 5] };

test("numbers make a line with a band, wide ones by their logarithm", () => {
  const picture = effectPicture(
    { id: "param:lr", type: "number", x: [1e-4, 1e-3, 1e-2], mean: [3, 1, 2], ...flat },
    100,
    50,
  )!;
  expect(picture.points.map(({ x }) => Math.round(x))).toEqual([0, 50, 100]);
  expect([picture.low, picture.high, picture.bestAt("min"), picture.bestAt("max")]).toEqual([1, 3, 1, 0]);
  expect(picture.line).toBe("M0.0 0.0L50.0 50.0L100.0 25.0");
  expect(picture.band.endsWith("Z")).toBe(true);
});

test("words stand apart, without a line", () => {
  const picture = effectPicture(
    { id: "param:o", type: "text", x: ["adam", "sgd", null], mean: [1, 2, 3], ...flat },
    90,
    50,
  )!;
  expect(picture.points.map(({ x }) => x)).toEqual([15, 45, 75]);
  expect(picture.line + picture.band).toBe("");
});

test("what is no number is left out, and one point is no picture", () => {
  expect(
    effectPicture({ id: "param:x", type: "number", x: [1, 2, 3], mean: [1, NaN, NaN], ...flat }, 90, 50),
  ).toBeNull();
  expect(
    effectPicture(
      { id: "param:x", type: "number", x: [2, 2], mean: [1, 1], low: [null, null], high: [null, null], n: [1, 1] },
      90,
      50,
    )!.points[0],
  ).toMatchObject({ x: 45, y: 25, low: 25 });
});
