import { expect, test } from "vitest";
import { columnsFor, placeSections, plotHeight, slotsWithin, type Metrics } from "./layout";

const metrics: Metrics = { columns: 3, cardHeight: 190, headHeight: 30, gap: 10 };
const section = (key: string, count: number, open = true) =>
  ({ key, open, entries: Array.from({ length: count }, (_, index) => `${key}${index}`) });

test("sections follow each other, and a closed one is only as high as its heading", () => {
  const { placed, height } = placeSections([section("a", 4), section("b", 100, false), section("c", 1)], metrics);
  expect(placed.map(({ top }) => top)).toEqual([0, 430, 460]);
  expect(height).toBe(460 + 230);
});

test("of two thousand cards only those in view exist", () => {
  const { placed } = placeSections([section("a", 2000)], metrics);
  const slots = slotsWithin(placed[0]!, metrics, 30 + 200 * 100, 30 + 200 * 103);
  expect(slots.map(({ entry }) => entry)).toEqual(Array.from({ length: 9 }, (_, index) => `a${300 + index}`));
  expect(slots[4]).toEqual({ entry: "a304", column: 1, top: 30 + 101 * 200 });
  expect(slotsWithin(placed[0]!, metrics, -500, 0)).toEqual([]);
  expect(slotsWithin({ ...placed[0]!, section: section("a", 3, false) }, metrics, 0, 1e6)).toEqual([]);
});

test("columns are chosen by a person or by the room there is", () => {
  expect([0, 1, 4, 9].map((wish) => columnsFor(wish, 1060))).toEqual([3, 1, 4, 4]);
  expect([300, 600, 1060, 2000].map((width) => columnsFor(0, width))).toEqual([1, 2, 3, 4]);
  expect([500, 900, 2000].map((height) => plotHeight(height, 3))).toEqual([146, 158, 240]);
});
