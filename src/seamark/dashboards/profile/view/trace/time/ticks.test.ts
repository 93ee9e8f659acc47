import { expect, test } from "vitest";
import { rulerOf } from "./ticks";

const texts = (start: number, end: number, zero = 0): string[] =>
  rulerOf({ start, end }, 1000, zero, 100).ticks.map(({ text }) => text);

test("ticks are round, and count from the zero they are given", () => {
  const ruler = rulerOf({ start: 0, end: 240e6 }, 1200, -20e6, 80);
  expect(ruler.unit.name).toBe("ms");
  expect(ruler.ticks.map(({ text }) => text).slice(0, 3)).toEqual(["20", "40", "60"]);
  expect(ruler.ticks[0]!.time).toBe(0);
});

test("the unit fits the distance of two ticks", () => {
  expect(rulerOf({ start: 0, end: 200 }, 1000, 0).unit.name).toBe("ns");
  expect(rulerOf({ start: 0, end: 50e3 }, 1000, 0).unit.name).toBe("µs");
  expect(rulerOf({ start: 0, end: 50e9 }, 1000, 0).unit.name).toBe("s");
  expect(texts(0, 4)).toEqual(["0", "1", "2", "3", "4"]);
});

test("far from zero, ticks count from a round time nearby", () => {
  const ruler = rulerOf({ start: 43_458_523_100, end: 43_458_524_100 }, 1000, 0, 100);
  expect(ruler.base).toBe(43_458_500_000);
  expect(ruler.ticks.every(({ text }) => text.length <= 6)).toBe(true);
  expect(ruler.ticks[0]!.time).toBe(43_458_523_100);
});
