import { expect, test } from "vitest";
import {
  ADAPTIVE,
  AS_LOGGED,
  FIXED,
  pointWeight,
  readSmoothing,
  smoothingOf,
  smoothingWords,
  stepped,
  writeSmoothing,
} from "./smoothing";

test("in the address, a number is TensorBoard's weight and a percentage a half-life", () => {
  expect(readSmoothing("0.8")).toEqual({ mode: "fixed", weight: 0.8 });
  expect(readSmoothing(" 2.5 % ")).toEqual({ mode: "adaptive", weight: 0.025 });
  expect([readSmoothing("7"), readSmoothing("90%")].map((read) => read?.weight)).toEqual([0.999, 0.5]);
  for (const text of ["", "%", "loud", "1 2"]) expect(readSmoothing(text)).toBeUndefined();
  for (const value of [ADAPTIVE, FIXED, AS_LOGGED]) expect(readSmoothing(writeSmoothing(value))).toEqual(value);
});

test("a request names the visible range where it is a part of what there is", () => {
  expect(smoothingOf(ADAPTIVE, null)).toBe(ADAPTIVE);
  expect(smoothingOf(FIXED, { from: 0, to: 9 })).toBe(FIXED);
  const [here, moved] = [0, 0.1].map((from) => smoothingOf(ADAPTIVE, { from, to: from + 1000.1 }));
  expect(here).toEqual({ ...ADAPTIVE, visible: 1000.1 });
  expect(moved).toEqual(here);
});

test("the weight halves a value within the half-life, and zooming in lowers it", () => {
  const weight = pointWeight({ ...ADAPTIVE, visible: 1000 }, 1);
  expect(weight ** 20).toBeCloseTo(0.5, 12);
  expect(pointWeight({ ...ADAPTIVE, visible: 100 }, 1)).toBeLessThan(weight);
  expect([pointWeight(ADAPTIVE, 1), pointWeight({ ...ADAPTIVE, visible: 9 }, 0)]).toEqual([0, 0]);
  expect(pointWeight(FIXED, 1)).toBe(0.6);
});

test("words tell the weights that were used", () => {
  const half = "Moving average with a half-life of 2 % of the visible range";
  expect(smoothingWords(ADAPTIVE)).toBe(half);
  expect(smoothingWords(ADAPTIVE, [0.5, 0.98282])).toBe(
    `${half}: weight 0.5000 to 0.98282 from each point to the next`,
  );
  expect(smoothingWords(FIXED, [0.6])).toBe("TensorBoard's moving average, weight 0.6");
});

test("keys move by a step of the mode", () => {
  expect([stepped(FIXED, 1), stepped(ADAPTIVE, -3)].map(({ weight }) => weight)).toEqual([0.65, 0]);
});
