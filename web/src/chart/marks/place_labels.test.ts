import { expect, test } from "vitest";
import { placeLabels, type Label } from "./place_labels";

const label = (x: number, y: number, importance = 0): Label => ({ x, y, width: 40, height: 10, importance });
const indexes = (labels: readonly Label[], options = {}): number[] =>
  placeLabels(labels, options).map(({ index }) => index);

test("labels that would touch are dropped, the first of equals stays", () => {
  expect(indexes([label(0, 0), label(30, 0), label(40, 0)])).toEqual([0, 2]);
  expect(indexes([label(0, 0), label(40, 0), label(48, 0)], { gapPx: 8 })).toEqual([0, 2]);
});

test("the important ones are placed first", () => {
  expect(indexes([label(0, 0), label(30, 0, 5)])).toEqual([1]);
});

test("a label goes to another side of its point before it is dropped", () => {
  const placed = placeLabels([label(0, 0), label(0, 0), label(0, 0)], { sides: ["right", "left"] });
  expect(placed).toEqual([
    { index: 0, box: { left: 0, right: 40, top: -5, bottom: 5 } },
    { index: 1, box: { left: -40, right: 0, top: -5, bottom: 5 } },
  ]);
  const [above, below] = placeLabels([label(0, 0), label(0, 0)], { sides: ["above", "below"], gapPx: 3 });
  expect([above!.box.bottom, below!.box.top]).toEqual([-3, 3]);
});

test("no label leaves the area", () => {
  const within = { left: 0, right: 100, top: 0, bottom: 100 };
  expect(indexes([label(10, 50), label(50, 50), label(50, 98)], { within })).toEqual([1]);
});

test("of thousands none overlap, also across the squares of the grid", () => {
  const labels = Array.from({ length: 3000 }, (_, n) => label((n * 7919) % 1009, (n * 104729) % 997));
  const boxes = placeLabels(labels).map(({ box }) => box);
  expect(boxes.length).toBeGreaterThan(500);
  const overlaps = boxes.some((a, i) =>
    boxes.some((b, j) => i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  );
  expect(overlaps).toBe(false);
});
