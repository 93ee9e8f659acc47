import { expect, test } from "vitest";
import { setOf } from "$public/scalar_card/testing";
import { marginSet } from "./margin";

const margin = { value: "m", lower: "l", upper: "u" };
const label = (run: string): string => run.toUpperCase();

test("the band lies between the bounds, row by row", () => {
  const lines = setOf({
    "r\nm": [
      [0, 5],
      [1, 6],
    ],
    "r\nl": [
      [0, 4],
      [1, 3],
    ],
    "r\nu": [
      [0, 7],
      [1, 9],
    ],
  });
  const { set, bare } = marginSet(lines, [margin], label);
  expect([...set.raw]).toEqual([5, 6]);
  expect([...set.low!]).toEqual([4, 3]);
  expect([...set.high!]).toEqual([7, 9]);
  expect(set.series.map(({ key, name }) => [key, name])).toEqual([["r\nm", "R"]]);
  expect(set.fill).toBe("band");
  expect(bare).toEqual([]);
});

test("bounds logged at other steps are read between their points, and not beyond", () => {
  const lines = setOf({
    "r\nm": [
      [0, 5],
      [1, 5],
      [2, 5],
      [9, 5],
    ],
    "r\nl": [
      [1, 2],
      [3, 4],
    ],
    "r\nu": [
      [0, 8],
      [9, 17],
    ],
  });
  const { lower, upper, set } = marginSet(lines, [margin], label);
  expect([...lower]).toEqual([NaN, 2, 3, NaN]);
  expect([...upper]).toEqual([8, 9, 10, 17]);
  expect([...set.low!]).toEqual([5, 2, 3, 5]);
});

test("a run without a bound keeps its line, and is reported", () => {
  const lines = setOf({ "a\nm": [[0, 5]], "a\nl": [[0, 4]], "a\nu": [[0, 6]], "b\nm": [[0, 1]], "b\nl": [[0, 0]] });
  const { set, bare } = marginSet(lines, [margin], label);
  expect(set.series.map(({ key }) => key)).toEqual(["a\nm", "b\nm"]);
  expect(bare).toEqual([{ run: "b", missing: "u" }]);
  expect([...set.low!]).toEqual([4, 1]);
});

test("bounds the wrong way round are drawn all the same, and one tag may be all three", () => {
  const turned = marginSet(setOf({ "r\nm": [[0, 5]], "r\nl": [[0, 9]], "r\nu": [[0, 1]] }), [margin], label);
  expect([turned.set.low![0], turned.set.high![0], turned.lower[0]]).toEqual([1, 9, 9]);
  const alone = marginSet(setOf({ r: [[0, 5]] }), [{ value: "m", lower: "m", upper: "m" }], label);
  expect([alone.set.low![0], alone.set.raw[0], alone.set.high![0]]).toEqual([5, 5, 5]);
});

test("an empty answer is an empty set", () => {
  expect(marginSet(setOf({}), [margin], label).set.x).toHaveLength(0);
});
