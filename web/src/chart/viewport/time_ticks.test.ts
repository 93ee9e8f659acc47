import { expect, test } from "vitest";
import { clockTicks, durationTicks, offsetTicks, SECOND } from "./time_ticks";

const labels = (ticks: readonly { label: string }[]): string[] => ticks.map(({ label }) => label);
const secs = (count: number): bigint => BigInt(count) * SECOND;
const local = (...parts: [number, number, ...number[]]): bigint => BigInt(new Date(...parts).getTime()) * 1_000_000n;

test("durations are labelled in the unit of the window, from nanoseconds to years", () => {
  expect(labels(durationTicks(0n, 10n, 5))).toEqual(["0 ns", "2 ns", "4 ns", "6 ns", "8 ns", "10 ns"]);
  expect(labels(durationTicks(0n, 2500n, 5))).toEqual(["0 µs", "0.5 µs", "1 µs", "1.5 µs", "2 µs", "2.5 µs"]);
  expect(labels(durationTicks(0n, 40_000_000n, 2))).toEqual(["0 ms", "20 ms", "40 ms"]);
  expect(labels(durationTicks(0n, SECOND, 2))).toEqual(["0 s", "0.5 s", "1 s"]);
  expect(labels(durationTicks(-SECOND, SECOND, 2))).toEqual(["−1 s", "0 s", "1 s"]);
  expect(labels(durationTicks(0n, secs(4 * 3600), 4))).toEqual(["0 s", "1 h", "2 h", "3 h", "4 h"]);
  expect(labels(durationTicks(0n, secs(3 * 365 * 86400), 3))).toEqual(["0 s", "365 d", "730 d", "1095 d"]);
});

test("ten nanoseconds in the year 2026 have ten ticks, each at its own time", () => {
  const from = 1_795_000_000_123_456_789n;
  const ticks = clockTicks(from, from + 10n, 10);
  expect(ticks.map(({ at }) => at)).toEqual(Array.from({ length: 11 }, (_, n) => from + BigInt(n)));
  expect(ticks[0]!.label).toMatch(/^\d\d:\d\d:\d\d\.123456789$/);
  expect(new Set(labels(ticks)).size).toBe(11);
});

test("deep inside a trace ticks are distances from a round time", () => {
  const from = secs(12) + 345_678_901n;
  const { base, ticks } = offsetTicks(from, from + 100n, 2);
  expect(base).toBe(secs(12) + 345_678_000n);
  expect(labels(ticks)).toEqual(["+0.95 µs", "+1 µs"]);
  expect(ticks.map(({ at }) => at)).toEqual([base + 950n, base + 1000n]);
});

test("times before zero are on the same grid", () => {
  expect(durationTicks(-25n, 15n, 4).map(({ at }) => at)).toEqual([-20n, -10n, 0n, 10n]);
  expect(offsetTicks(-1500n, -1400n, 2).base).toBe(-2000n);
});

test("the clock shows seconds, hours, days, months or years, whichever tells ticks apart", () => {
  const noon = local(2024, 4, 6, 12);
  expect(labels(clockTicks(noon, noon + secs(7200), 2))).toEqual(["12:00", "13:00", "14:00"]);
  expect(labels(clockTicks(noon, noon + secs(2), 2))).toEqual(["12:00:00", "12:00:01", "12:00:02"]);
  expect(labels(clockTicks(noon, noon + SECOND / 5n, 2))).toEqual(["12:00:00.000", "12:00:00.100", "12:00:00.200"]);
  expect(labels(clockTicks(noon, noon + secs(86400), 2))).toEqual(["12:00", "May 7", "12:00"]);
  expect(labels(clockTicks(noon, noon + secs(2 * 86400), 2))).toEqual(["May 7", "May 8"]);
  expect(labels(clockTicks(noon, local(2024, 8, 2), 4))).toEqual(["Jun 2024", "Jul 2024", "Aug 2024", "Sep 2024"]);
  expect(labels(clockTicks(noon, local(2031, 0, 2), 4))).toEqual(["2026", "2028", "2030"]);
});

test("a few seconds or minutes have several ticks, not a single one", () => {
  const noon = local(2024, 4, 6, 12) + SECOND / 2n;
  expect(labels(clockTicks(noon, noon + secs(4), 3))).toEqual(["12:00:01", "12:00:02", "12:00:03", "12:00:04"]);
  expect(clockTicks(noon, noon + secs(4 * 60), 3)).toHaveLength(4);
  expect(clockTicks(noon, noon + secs(2 * 3600), 2).length).toBeGreaterThan(1);
});

test("a window of one moment has at most one tick", () => {
  expect(durationTicks(5n, 5n, 4)).toHaveLength(1);
  expect(clockTicks(5n, 5n, 4)).toHaveLength(1);
});
