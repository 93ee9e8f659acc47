import { expect, test } from "vitest";
import { planeOf } from "../camera";
import {
  extremeRows,
  groupTexts,
  labelRows,
  largestRows,
  placeTexts,
  pointLabelLimit,
  shortened,
  type LabelText,
} from "./labels";
import { groupPositions } from "./medians";
import { neighbourShapes, sequencePairs, trailSegments } from "./shapes";
import { placeThumbnails, thumbnailAt } from "./thumbnails";

const SIZE = { width: 400, height: 400 };
const PLANE = planeOf({ x: 200, y: 200, z: 0, extent: 400, yaw: 0, pitch: 0 }, SIZE);
const measure = (text: string) => text.length * 6;
const text = (rank: LabelText["rank"], words: string, x: number, y: number, importance = 0.5): LabelText => ({ rank, text: words, x, y, importance }); // prettier-ignore

test("labels never overlap: clusters win over classes, classes over points", () => {
  const placed = placeTexts([text("point", "p", 195, 200), text("class", "class", 200, 200), text("cluster", "cluster", 203, 203)], SIZE, measure); // prettier-ignore
  expect(placed.map((label) => label.text)).toEqual(["cluster"]);
  const apart = placeTexts([text("class", "b", 100, 100), text("cluster", "a", 200, 200), text("class", "out", -9, 5)], SIZE, measure); // prettier-ignore
  expect(apart.map((label) => label.text)).toEqual(["a", "b"]);
});

test("more points are labelled in a larger picture and when zoomed in, few over the names of groups", () => {
  const large = { width: 1200, height: 800 };
  expect(pointLabelLimit(1, false, large)).toBeGreaterThan(pointLabelLimit(1, false, SIZE));
  expect(pointLabelLimit(1, true, large)).toBe(8);
  expect(pointLabelLimit(4, true, large)).toBeGreaterThan(pointLabelLimit(2, true, large));
  expect(pointLabelLimit(1_000, true, SIZE)).toBe(300);
});

test("the outermost points in view are labelled, and those with the largest values", () => {
  const x = Float32Array.of(200, 10, 390, 200, 200, 900);
  const y = Float32Array.of(200, 200, 200, 390, 10, 900);
  const seen = { positions: { x, y, z: null }, plane: PLANE, emphasis: Uint8Array.of(2, 2, 2, 2, 0, 2) };
  expect(extremeRows(allRows(6), seen, SIZE).sort()).toEqual([1, 2, 3]);
  expect(largestRows(Uint32Array.of(0, 1, 2, 3), [5, NaN, 9, 1], 2)).toEqual([2, 0]);
});

test("candidates are spread over the picture, and shown", () => {
  const positions = { x: Float32Array.of(10, 11, 300, 900, 350), y: Float32Array.of(20, 21, 300, 10, 20), z: null };
  const emphasis = Uint8Array.of(2, 2, 2, 2, 0);
  expect(labelRows(Uint32Array.of(1, 0, 2, 3, 4), { positions, plane: PLANE, emphasis }, SIZE, 9)).toEqual([1, 2]);
});

test("the name of a group stands at the median of its shown rows", () => {
  const positions = { x: Float32Array.of(1, 2, 90, 7, NaN), y: Float32Array.of(5, 6, 70, 7, 0), z: null };
  const groups = groupPositions(positions, [0, 0, 0, 1, 0], 3, (row) => row !== 3);
  expect(groups).toEqual([{ code: 0, count: 3, x: 2, y: 6, z: 0 }]);
  expect(groupTexts(groups, ["cats"], PLANE, "cluster")).toMatchObject([{ text: "cats", x: 2, y: 394 }]);
});

test("the name of a group in two places stands at one of them", () => {
  const positions = { x: Float32Array.of(0, 1, 10, 11, 12), y: Float32Array.of(50, 51, 0, 1, 2), z: null };
  const [group] = groupPositions(positions, [0, 0, 0, 0, 0], 1, () => true);
  const rows = [...positions.x.keys()];
  expect(rows.some((row) => positions.x[row] === group!.x && positions.y[row] === group!.y)).toBe(true);
});

test("long labels are shortened to one line", () => {
  expect(shortened("a\n b")).toBe("a b");
  expect(shortened("x".repeat(99))).toHaveLength(32);
});

test("lines go from each row to its next one", () => {
  expect([...sequencePairs([1, 2, NaN, 3, 99])]).toEqual([0, 1, 1, 2]);
});

test("lines to kept neighbours are solid, paler to farther ones, dashed to torn ones", () => {
  const positions = { x: Float32Array.of(0, 10, 20, 30), y: Float32Array.of(0, 0, 0, 0), z: null };
  const neighbours = { rows: [1, 2, 3], picture_ranks: [1, 40, 30] } as unknown as Parameters<
    typeof neighbourShapes
  >[2];
  const shapes = neighbourShapes({ positions, plane: PLANE, isShown: () => true }, 0, neighbours);
  expect(shapes).toMatchObject([
    { ends: [0, 400, 10, 400], alpha: 0.75 },
    { ends: [0, 400, 30, 400], alpha: 0.35 },
    { ends: [0, 400, 20, 400], isDashed: true, colour: "--warn" },
    { type: "ring", at: { x: 20, y: 400 } },
  ]);
});

test("a trail joins the positions of a row from step to step", () => {
  const step = (x: number) => ({ x: Float32Array.of(0, x), y: Float32Array.of(0, 0), z: null });
  expect(trailSegments({ plane: PLANE, isShown: () => true }, [1], [step(1), step(2), step(NaN)])).toEqual([
    1, 400, 2, 400,
  ]);
  expect(trailSegments({ plane: PLANE, isShown: (row) => row !== 1 }, [1], [step(1), step(2)])).toEqual([]);
});

/** A sprite of ten by ten pixels each, two beside each other. */
const SPRITE = {
  entry: { width: 10, height: 10, columns: 2 },
  tintOf: (row: number) => (row === 0 ? null : "#ff0000"),
};
const allRows = (count: number) => Uint32Array.from({ length: count }, (_, row) => row);

test("thumbnails are spread and have the colour of their point", () => {
  const positions = { x: Float32Array.of(107, 101, 300), y: Float32Array.of(109, 101, 300), z: null };
  const pickable = { positions, plane: PLANE, emphasis: Uint8Array.of(2, 2, 2) };
  const placed = placeThumbnails(pickable, allRows(3), SIZE, SPRITE);
  // Both lie in one cell of 72 pixels; the first one is nearer to its middle.
  expect(placed.map(({ row }) => row).sort()).toEqual([0, 2]);
  expect(placed.find(({ row }) => row === 2)).toMatchObject({ spriteX: 0, spriteY: 10, alpha: 1, tint: "#ff0000" });
  expect(placed.find(({ row }) => row === 0)).toMatchObject({ tint: null });
});

test("of many points all over the picture the nearest ones have a thumbnail", () => {
  const count = 10_000;
  const x = Float32Array.from({ length: count }, (_, row) => (row % 100) * 4 + 1);
  const y = Float32Array.from({ length: count }, (_, row) => Math.floor(row / 100) * 4 + 1);
  const emphasis = new Uint8Array(count).fill(2);
  const flat = placeThumbnails({ positions: { x, y, z: null }, plane: PLANE, emphasis }, allRows(count), SIZE, SPRITE);
  expect(flat.length).toBeGreaterThan(500);
  expect(flat.length).toBeLessThanOrEqual(2_000);
  // Twice as many at the same pixels: those behind have none, and the front is drawn last.
  const positions = {
    x: Float32Array.of(...x.subarray(0, 300), ...x.subarray(0, 300)),
    y: Float32Array.of(...y.subarray(0, 300), ...y.subarray(0, 300)),
    z: Float32Array.from({ length: 600 }, (_, row) => (row < 300 ? -1 : 1 + row / 1e3)),
  };
  const seen = { positions, plane: PLANE, emphasis: emphasis.subarray(0, 600) };
  const rows = placeThumbnails(seen, allRows(600), SIZE, SPRITE).map(({ row }) => row);
  expect(Math.min(...rows)).toBeGreaterThanOrEqual(300);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
});

test("panning leaves the images as they are", () => {
  const positions = { x: Float32Array.from({ length: 900 }, (_, row) => 60 + (row % 30) * 7), y: Float32Array.from({ length: 900 }, (_, row) => 60 + Math.floor(row / 30) * 7), z: null }; // prettier-ignore
  const emphasis = new Uint8Array(900).fill(2);
  const rowsAt = (x: number) => {
    const plane = planeOf({ x, y: 200, z: 0, extent: 400, yaw: 0, pitch: 0 }, SIZE);
    const placed = placeThumbnails({ positions, plane, emphasis }, allRows(900), SIZE, SPRITE);
    return placed.map(({ row }) => row).sort((a, b) => a - b);
  };
  expect(rowsAt(213)).toEqual(rowsAt(200));
});

test("selected rows have their thumbnail, in front of others, which are dimmed", () => {
  const positions = { x: Float32Array.of(107, 101, 300), y: Float32Array.of(109, 101, 300), z: null };
  const pickable = { positions, plane: PLANE, emphasis: Uint8Array.of(1, 3, 1) };
  const placed = placeThumbnails(pickable, allRows(3), SIZE, SPRITE);
  expect(placed.map(({ row, alpha }) => [row, alpha])).toEqual([[2, 0.3], [1, 1]]); // prettier-ignore
  const { left, top, width } = placed[1]!;
  expect(thumbnailAt(placed, { x: left + width - 1, y: top + 1 })).toBe(1);
  expect(thumbnailAt(placed, { x: left - 1, y: top + 1 })).toBeNull();
});
