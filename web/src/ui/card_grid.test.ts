import { expect, test } from "vitest";
import { cardsWithin, placeCards } from "./card_grid";

const metrics = { columns: 3, cardHeight: 90, headHeight: 30, gap: 10 };
const section = (key: string, count: number, open = true) => ({
  key,
  title: key,
  entries: Array.from({ length: count }, (_, index) => index),
  open,
});

test("a folded section is as high as its heading", () => {
  const { placed, height } = placeCards([section("a", 4), section("b", 9, false), section("c", 1)], metrics);
  expect(placed.map(({ top, height: tall }) => [top, tall])).toEqual([
    [0, 230],
    [230, 30],
    [260, 130],
  ]);
  expect(height).toBe(390);
});

test("of ten thousand cards only those in view exist", () => {
  const {
    placed: [all],
  } = placeCards([section("a", 10_000)], metrics);
  const seen = cardsWithin(all!, metrics, 5_000, 5_900);
  expect(seen.length).toBe(30);
  expect(seen[0]).toEqual({ entry: 147, column: 0, top: 4_930 });
  expect(cardsWithin(all!, metrics, -500, -10)).toEqual([]);
  expect(cardsWithin(all!, metrics, 1e9, 1e9 + 900)).toEqual([]);
});
