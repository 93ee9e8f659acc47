import { expect, test } from "vitest";
import { barsOf, measuredText } from "./bars";

test("a number is never more precise than measured", () => {
  expect(measuredText(0.38372, 0.00908)).toBe("+0.384 ± 0.009");
  expect(measuredText(-0.1062, 0.021)).toBe("−0.11 ± 0.02");
  expect(measuredText(1234.5, 56)).toBe("+1,230 ± 60");
  expect(measuredText(0.001, 0.4)).toBe("+0.0 ± 0.4");
  expect(measuredText(0, 0)).toBe("0");
  expect(measuredText(2, Number.NaN)).toBe("+2");
});

test("bars begin at zero, whiskers cover 95 %", () => {
  const [up, down] = barsOf([
    { feature: "a", value: 3, error: 0.5, own: null },
    { feature: "b", value: -0.5, error: 0.265306122449, own: null },
  ]);
  // From -1.02 to 3.98.
  expect(up!.zero).toBeCloseTo(20.4);
  expect([up!.from, up!.to]).toEqual([up!.zero, expect.closeTo(80.4)]);
  expect([up!.whiskerFrom, up!.whiskerTo]).toEqual([expect.closeTo(60.8), 100]);
  expect(down).toMatchObject({ isNegative: true, isUncertain: true, to: up!.zero });
});

test("nothing has no bars", () => {
  expect(barsOf([])).toEqual([]);
});
