import { expect, test } from "vitest";
import { inUnit, percentText, timeText, timeUnit } from "./numbers";

test.each([
  [212_400_000, "212.4 ms"],
  [30_100_000, "30.1 ms"],
  [1_234_567_890, "1.235 s"],
  [999_999_999, "1 s"],
  [45_678, "45.68 µs"],
  [120, "120 ns"],
  [0, "0 ns"],
  [-5_100_000, "−5.1 ms"],
  [4_200_000_000_000, "4,200 s"],
])("%d ns is %s", (ns, text) => expect(timeText(ns)).toBe(text));

test("a column has the unit and the digits of its largest number", () => {
  const unit = timeUnit(241_200_000);
  expect(unit).toEqual({ name: "ms", ns: 1e6, digits: 1 });
  expect(inUnit(241_200_000, unit)).toBe("241.2");
  expect(inUnit(4_600_000, unit)).toBe("4.6");
  expect(inUnit(-16_000, unit)).toBe("−0.0");
  expect(timeUnit(2_400)).toEqual({ name: "µs", ns: 1e3, digits: 3 });
  expect(timeUnit(12)).toEqual({ name: "ns", ns: 1, digits: 0 });
});

test("shares have one digit after the point", () => {
  expect(percentText(0.1417)).toBe("14.2%");
  expect(percentText(-0.05)).toBe("−5.0%");
});
