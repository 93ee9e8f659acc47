import { expect, test } from "vitest";
import type { StepBreakdown } from "../../wire";
import { barAt, barScale, labelledBars, makeBars, placeBars, stepsPerBar } from "./bars";

const SIZE = { width: 752, height: 238 };

function makeSteps(count: number): StepBreakdown[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `ProfilerStep#${410 + index}`,
    number: 410 + index,
    start_ns: index * 200,
    duration_ns: 200 + (index % 3) * 10,
    breakdown: { device_compute_16: 150, input: 20 + (index % 3) * 10, idle: 30 },
    note: index === 2 ? "recompiled" : "",
  }));
}

test("few steps have a bar each, with the parts on top of each other", () => {
  const bars = makeBars(makeSteps(20), stepsPerBar(20, SIZE));
  expect(bars).toHaveLength(20);
  expect(bars[7]).toMatchObject({ first: 7, end: 8, label: "417" });
  const placed = placeBars(bars, barScale(bars, "time"), SIZE);
  const [first] = placed;
  expect(first!.blocks.map(({ part }) => part)).toEqual(["device_compute_16", "input", "idle"]);
  const bottom = first!.blocks[0]!;
  expect(bottom.y + bottom.height).toBeCloseTo(SIZE.height - 20);
  expect(first!.blocks.at(-1)!.y).toBeCloseTo(first!.top);
  expect(first!.whisker).toBeNull();
});

test("thousands of steps are means of neighbours, with the shortest and the longest", () => {
  const steps = makeSteps(5000);
  const perBar = stepsPerBar(5000, SIZE);
  const bars = makeBars(steps, perBar);
  expect(perBar).toBe(29);
  expect(bars.length).toBeLessThanOrEqual(700 / 4);
  expect(bars.at(-1)!.end).toBe(5000);
  expect(bars[0]).toMatchObject({ label: "410–438", minNs: 200, maxNs: 220, longest: 2, note: "recompiled" });
  const parts = Object.values(bars[0]!.breakdown).reduce((total, value) => total + value, 0);
  expect(parts).toBeCloseTo(bars[0]!.meanNs);
  expect(placeBars(bars, barScale(bars, "time"), SIZE)[0]!.whisker).not.toBeNull();
});

test("as shares all bars have the same height", () => {
  const bars = makeBars(makeSteps(9), 1);
  const tops = placeBars(bars, barScale(bars, "share"), SIZE).map(({ top }) => top);
  expect(new Set(tops)).toEqual(new Set([18]));
});

test("the bar under the pointer", () => {
  expect(barAt(36, 20, SIZE)).toBe(0);
  expect(barAt(735, 20, SIZE)).toBe(19);
  expect(barAt(20, 20, SIZE)).toBe(-1);
  expect(barAt(740, 20, SIZE)).toBe(-1);
});

test("labels do not overlap", () => {
  const bars = makeBars(makeSteps(100), 1);
  const shown = labelledBars(bars, SIZE);
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.length).toBeLessThan(25);
});
