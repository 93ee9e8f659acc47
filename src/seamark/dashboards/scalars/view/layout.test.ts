import { expect, test } from "vitest";
import { anchorAt, columnsFor, movedBy, placeSections, plotHeight, slotsWithin, type Metrics } from "./layout";

const metrics: Metrics<string> = { columns: 3, headHeight: 30, gap: 10, heightOf: () => 190 };
const section = (key: string, count: number, open = true) => ({
  key,
  title: key,
  open,
  entries: Array.from({ length: count }, (_, index) => `${key}${index}`),
});

test("sections follow each other, and a closed one is only as high as its heading", () => {
  const { placed, height } = placeSections([section("a", 4), section("b", 100, false), section("c", 1)], metrics);
  expect(placed.map(({ top }) => top)).toEqual([0, 430, 460]);
  expect(height).toBe(460 + 230);
});

test("of two thousand cards only those in view exist", () => {
  const { placed } = placeSections([section("a", 2000)], metrics);
  const slots = slotsWithin(placed[0]!, 3, 30 + 200 * 100, 30 + 200 * 103);
  expect(slots.map(({ entry }) => entry)).toEqual(Array.from({ length: 9 }, (_, index) => `a${300 + index}`));
  expect(slots[4]).toEqual({ entry: "a304", column: 1, top: 30 + 101 * 200 });
  expect(slotsWithin(placed[0]!, 3, -500, 0)).toEqual([]);
  expect(slotsWithin({ ...placed[0]!, section: section("a", 3, false) }, 3, 0, 1e6)).toEqual([]);
});

test("a row is as high as its highest card", () => {
  const heightOf = (entry: string): number => (entry === "a1" ? 400 : 190);
  const { placed } = placeSections([section("a", 5), section("b", 1)], { ...metrics, heightOf });
  expect(placed.map(({ top, rows }) => ({ top, rows }))).toEqual([
    { top: 0, rows: [30, 440, 640] },
    { top: 640, rows: [30, 230] },
  ]);
  expect(slotsWithin(placed[0]!, 3, 440, 500).map(({ entry, top }) => [entry, top])).toEqual([
    ["a3", 440],
    ["a4", 440],
  ]);
});

test("what is looked at stays put when a card above it turns out higher", () => {
  const sections = [section("a", 6), section("b", 3)];
  const before = placeSections(sections, metrics).placed;
  const after = placeSections(sections, { ...metrics, heightOf: (entry) => (entry === "a0" ? 300 : 190) }).placed;
  expect(anchorAt(before, 240)).toEqual({ section: "a", row: 1, top: 230 });
  expect(movedBy(after, anchorAt(before, 240)!)).toBe(110);
  expect(movedBy(after, anchorAt(before, 100)!)).toBe(0);
  expect(movedBy(placeSections([section("b", 3)], metrics).placed, anchorAt(before, 240)!)).toBe(0);
  expect(anchorAt([], 0)).toBeNull();
});

test("columns are chosen by a person or by the room there is", () => {
  expect([0, 1, 4, 9].map((request) => columnsFor(request, 1060))).toEqual([3, 1, 4, 4]);
  expect([300, 600, 1060, 2000].map((width) => columnsFor(0, width))).toEqual([1, 2, 3, 4]);
  expect([500, 900, 2000].map((height) => plotHeight(height, 3))).toEqual([146, 158, 240]);
});
