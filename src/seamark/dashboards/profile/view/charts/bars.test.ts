import { expect, test } from "vitest";
import { barAt, binText, countTicks, labelledBars, MARGIN, perBar, placeBars, plotWidth, timeTicks } from "./bars";

const SIZE = { width: 460, height: 126 };

test("bars fill the plot, the highest one to its top", () => {
  const bars = placeBars([1, 4, 2, 0], SIZE, 0.2);
  expect(bars).toHaveLength(4);
  expect(bars[1]!.y).toBe(MARGIN.top);
  expect(bars[3]!.y).toBe(SIZE.height - MARGIN.bottom);
  expect(barAt(bars, bars[2]!.x + 1, SIZE)).toBe(bars[2]);
  expect(barAt(bars, 5, SIZE)).toBeNull();
});

test("where there is no room, a bar stands for several and shows the highest", () => {
  const values = Array.from({ length: 1000 }, (_, index) => (index === 501 ? 9 : 1));
  const bars = placeBars(values, SIZE, 0);
  expect(perBar(1000, SIZE)).toBe(5);
  expect(bars.find(({ first, end }) => first <= 501 && end > 501)!.highest).toBe(501);
  expect(bars.at(-1)!.end).toBe(1000);
  expect(bars.length).toBeLessThanOrEqual(plotWidth(SIZE) / 2);
});

test("axes are labelled in one unit", () => {
  expect(timeTicks(3e6).at(-1)).toEqual({ value: 3e6, label: "3 ms" });
  expect(countTicks(2).map(({ value }) => value)).toEqual([0, 1, 2]);
  expect(binText(20e6, 50e6)).toBe("20–50 ms");
  expect(binText(0, 1000)).toBe("0–1 µs");
});

test("labels do not touch", () => {
  const bars = placeBars(Array(100).fill(1), SIZE, 0.2);
  expect(labelledBars(bars.map(String), bars, SIZE).length).toBeLessThan(100);
  expect(labelledBars(["1", "2"], bars.slice(0, 2), SIZE)).toEqual([0, 1]);
});
