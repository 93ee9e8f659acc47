import { expect, test } from "vitest";
import {
  anchorAt,
  cardWidth,
  CHART_COLUMNS,
  movedBy,
  placeSections,
  sectionsWithin,
  slotsWithin,
  type Metrics,
} from "./layout";

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
  const {
    placed: [all],
  } = placeSections([section("a", 2000)], metrics);
  const slots = slotsWithin(all!, 30 + 200 * 100, 30 + 200 * 103, metrics.gap);
  expect(slots.map(({ entry }) => entry)).toEqual(Array.from({ length: 9 }, (_, index) => `a${300 + index}`));
  expect(slots[4]).toEqual({ entry: "a304", column: 1, columns: 3, top: 30 + 101 * 200, height: 190 });
  expect(slotsWithin(all!, -500, 0)).toEqual([]);
  expect(slotsWithin(all!, 1e9, 1e9 + 900)).toEqual([]);
});

test("a closed section shows no cards, and only sections in view are drawn", () => {
  const layout = placeSections([section("a", 3, false), section("b", 30), section("c", 3)], metrics);
  expect(slotsWithin(layout.placed[0]!, 0, 1e6)).toEqual([]);
  expect(sectionsWithin(layout, 100, 200).map(({ section: { key } }) => key)).toEqual(["b"]);
});

test("a row is as high as its highest card", () => {
  const heightOf = (entry: string): number => (entry === "a1" ? 400 : 190);
  const { placed } = placeSections([section("a", 5), section("b", 1)], { ...metrics, heightOf });
  expect(placed.map(({ top, rows }) => ({ top, rows }))).toEqual([
    { top: 0, rows: [30, 440, 640] },
    { top: 640, rows: [30, 230] },
  ]);
  expect(slotsWithin(placed[0]!, 440, 500).map(({ entry, top }) => [entry, top])).toEqual([
    ["a3", 440],
    ["a4", 440],
  ]);
});

const columnsOf = (sections: Parameters<typeof placeSections<string>>[0], columns = 3) =>
  placeSections(sections, { ...metrics, columns }).placed.map(({ top, column, span }) => [top, column, span]);

test("small sections share a row while they fit, and the last one has the rest of it", () => {
  expect(columnsOf([section("a", 1), section("b", 1), section("c", 1), section("d", 2), section("e", 2)])).toEqual([
    [0, 0, 1],
    [0, 1, 1],
    [0, 2, 1],
    [230, 0, 3],
    [460, 0, 3],
  ]);
  expect(columnsOf([section("a", 2), section("b", 1), section("c", 1), section("d", 3)])).toEqual([
    [0, 0, 2],
    [0, 2, 1],
    [230, 0, 3],
    [460, 0, 3],
  ]);
});

test("a closed, empty or lone section shares no row, and neither does any in a single column", () => {
  const apart = [
    [0, 0, 3],
    [230, 0, 3],
    [260, 0, 3],
  ];
  expect(columnsOf([section("a", 1), section("b", 1, false), section("c", 1)])).toEqual(apart);
  expect(columnsOf([section("a", 1), section("b", 0), section("c", 1)])).toEqual(apart);
  expect(columnsOf([{ ...section("a", 1), alone: true }, section("b", 1)])).toEqual([
    [0, 0, 3],
    [230, 0, 3],
  ]);
  expect(columnsOf([section("a", 1), section("b", 1)], 1)).toEqual([
    [0, 0, 1],
    [230, 0, 1],
  ]);
});

test("sections that share a row are as high as the highest", () => {
  const heightOf = (entry: string): number => (entry === "b0" ? 400 : 190);
  const { placed, height } = placeSections([section("a", 1), section("b", 1)], { ...metrics, heightOf });
  expect(placed.map((each) => each.height)).toEqual([440, 440]);
  // And so are their cards.
  expect(placed.flatMap((each) => slotsWithin(each, 0, 1e6, metrics.gap).map((slot) => slot.height))).toEqual([
    400, 400,
  ]);
  expect(height).toBe(440);
});

const filled = (sections: Parameters<typeof placeSections<string>>[0]) => {
  const layout = placeSections(sections, { ...metrics, stretches: () => true });
  return layout.placed.map((each) =>
    slotsWithin(each, 0, 1e6).map(({ column, columns }) => [each.column + column, columns]),
  );
};

test("rows of cards that may be wider fill the width, and differ by one card at most", () => {
  const [halves, thirds] = [
    [
      [0, 2],
      [1, 2],
    ],
    [
      [0, 3],
      [1, 3],
      [2, 3],
    ],
  ];
  expect(filled([section("a", 1)])).toEqual([[[0, 1]]]);
  expect(filled([section("a", 2), section("b", 4)])).toEqual([halves, [...halves, ...halves]]);
  expect(filled([section("a", 5)])).toEqual([[...thirds, ...halves]]);
  expect(filled([section("a", 7)])).toEqual([[...thirds, ...halves, ...halves]]);
  expect(filled([section("a", 1), section("b", 1), section("c", 3)])).toEqual([[[0, 2]], [[1, 2]], thirds]);
});

test("a row with a card that must not be wider keeps its columns", () => {
  const { placed } = placeSections([section("a", 2)], { ...metrics, stretches: (entry) => entry !== "a1" });
  expect(slotsWithin(placed[0]!, 0, 1e6).map(({ columns }) => columns)).toEqual([3, 3]);
});

test("the row at the top of the screen stays there when a card above it turns out higher", () => {
  const sections = [section("a", 6), section("b", 3)];
  const before = placeSections(sections, metrics);
  const after = placeSections(sections, { ...metrics, heightOf: (entry) => (entry === "a0" ? 300 : 190) });
  expect(anchorAt(before, 240)).toEqual({ section: "a", row: 1, top: 230 });
  expect(movedBy(after, anchorAt(before, 240)!)).toBe(110);
  expect(movedBy(after, anchorAt(before, 100)!)).toBe(0);
  expect(movedBy(placeSections([section("b", 3)], metrics), anchorAt(before, 240)!)).toBe(0);
  expect(anchorAt({ placed: [], height: 0 }, 0)).toBeNull();
});

test("columns of charts depend on the page's width, and share it", () => {
  expect([300, 600, 1060, 2000].map(CHART_COLUMNS.fit)).toEqual([1, 2, 3, 4]);
  expect(cardWidth(1040, 3, { gap: 8, padding: 12 })).toBeCloseTo(1000 / 3);
});
