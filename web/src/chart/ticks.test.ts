import { expect, test } from "vitest";
import { LINEAR, type Scale } from "./scale";
import { labelOf, ticksOf, ticksOfX } from "./ticks";

const LOG: Scale = { kind: "log", constant: 1 };
const labels = (ticks: readonly { label: string }[]): string[] => ticks.map(({ label }) => label);

test("labels are short, and long only where neighbours would look alike", () => {
  expect(labels(ticksOf(LINEAR, { from: 0, to: 100_000 }, 3))).toEqual(["0", "50k", "100k"]);
  expect(labels(ticksOf(LINEAR, { from: 1_200_000, to: 1_300_000 }, 3))).toEqual(["1.2M", "1.25M", "1.3M"]);
  expect(labels(ticksOf(LINEAR, { from: 1_234_566, to: 1_234_570 }, 2))).toEqual([
    "1,234,566",
    "1,234,568",
    "1,234,570",
  ]);
  expect(labels(ticksOf(LINEAR, { from: -0.002, to: 0.002 }, 4))).toEqual(["−0.002", "−0.001", "0", "0.001", "0.002"]);
  expect(labels(ticksOf(LINEAR, { from: 0, to: 4e-4 }, 2))).toEqual(["0", "2e−4", "4e−4"]);
  expect(labels(ticksOf(LINEAR, { from: 0.12345, to: 0.12347 }, 2))).toEqual(["0.12345", "0.12346", "0.12347"]);
  expect(labelOf(2.5e12, 5e11)).toBe("2.5e12");
  expect(labelOf(1_099_511_627_776, 1)).toBe("1,099,511,627,776");
});

test("a log axis is labelled by decades, by halves of them, or evenly, as room allows", () => {
  expect(labels(ticksOf(LOG, { from: 1e-5, to: 10 }, 3))).toEqual(["1e−5", "0.001", "0.1", "10"]);
  expect(labels(ticksOf(LOG, { from: 0.9, to: 12 }, 4))).toEqual(["1", "2", "5", "10"]);
  expect(labels(ticksOf(LOG, { from: 2.1, to: 2.9 }, 3))).toEqual(["2.2", "2.4", "2.6", "2.8"]);
});

test("every second decade of a log axis keeps its digits", () => {
  const labels = (from: number, to: number): string[] => ticksOf(LOG, { from, to }, 2).map(({ label }) => label);
  expect(labels(0.01, 1000)).toEqual(["0.01", "1", "100"]);
  expect(labels(1e-5, 10)).toEqual(["1e−5", "0.01", "10"]);
});

test("symlog keeps zero among its ticks", () => {
  const ticks = ticksOf({ kind: "symlog", constant: 0.01 }, { from: -10, to: 100 }, 4).map(({ value }) => value);
  expect(ticks).toContain(0);
  expect(ticks.length).toBeLessThanOrEqual(6);
  expect(ticks[0]).toBeLessThan(0);
});

test("steps are whole numbers", () => {
  expect(labels(ticksOfX("step", LINEAR, { from: 0, to: 2 }, 5))).toEqual(["0", "1", "2"]);
});

test("relative time is cut at minutes, hours and days", () => {
  expect(labels(ticksOfX("relative", LINEAR, { from: 0, to: 4 * 3600 }, 4))).toEqual([
    "0 s",
    "1 h",
    "2 h",
    "3 h",
    "4 h",
  ]);
  expect(labels(ticksOfX("relative", LINEAR, { from: 0, to: 1 }, 2))).toEqual(["0 s", "0.5 s", "1 s"]);
});

test("the clock shows days, hours or seconds, whichever tells ticks apart", () => {
  const noon = new Date(2024, 4, 6, 12).getTime() / 1000;
  expect(labels(ticksOfX("wall", LINEAR, { from: noon, to: noon + 7200 }, 2))).toEqual(["12:00", "13:00", "14:00"]);
  expect(labels(ticksOfX("wall", LINEAR, { from: noon, to: noon + 2 }, 2))).toEqual([
    "12:00:00",
    "12:00:01",
    "12:00:02",
  ]);
  expect(labels(ticksOfX("wall", LINEAR, { from: noon, to: noon + 86400 * 2 }, 2))).toEqual(["May 7", "May 8"]);
});

test("a lone value is not nothing", () => {
  expect([0.2861, 0, 1250, -1e-5].map((value) => labelOf(value, Infinity))).toEqual(["0.286", "0", "1.25k", "−1e−5"]);
});
