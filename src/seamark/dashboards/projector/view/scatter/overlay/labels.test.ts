import { expect, test } from "vitest";
import { planeOf } from "../camera";
import { groupTexts, labelRows, placeTexts, pointLabelLimit, shortened, type LabelText } from "./labels";
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

test("more points are labelled when zoomed in, none over the names of groups", () => {
  expect(pointLabelLimit(1, false)).toBeGreaterThan(0);
  expect(pointLabelLimit(1, true)).toBe(0);
  expect(pointLabelLimit(4, true)).toBeGreaterThan(pointLabelLimit(2, true));
  expect(pointLabelLimit(1_000, true)).toBe(300);
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

test("long labels are shortened to one line", () => {
  expect(shortened("a\n b")).toBe("a b");
  expect(shortened("x".repeat(99))).toHaveLength(32);
});

test("lines go from each row to its next one", () => {
  expect([...sequencePairs([1, 2, NaN, 3, 99])]).toEqual([0, 1, 1, 2]);
});

test("lines to kept neighbours are solid, to torn ones dashed", () => {
  const positions = { x: Float32Array.of(0, 10, 20), y: Float32Array.of(0, 0, 0), z: null };
  const neighbours = { rows: [1, 2], picture_ranks: [1, 40] } as unknown as Parameters<typeof neighbourShapes>[2];
  const shapes = neighbourShapes({ positions, plane: PLANE, isShown: () => true }, 0, neighbours);
  expect(shapes).toMatchObject([
    { ends: [0, 400, 10, 400] },
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

test("thumbnails are spread, and too many rows have none", () => {
  const entry = { width: 10, height: 10, columns: 2 };
  const positions = { x: Float32Array.of(100, 101, 300), y: Float32Array.of(100, 101, 300), z: null };
  const pickable = { positions, plane: PLANE, emphasis: Uint8Array.of(2, 2, 2) };
  const placed = placeThumbnails(pickable, SIZE, entry)!;
  expect(placed.map(({ row }) => row)).toEqual([2, 0]);
  expect(placed[0]).toMatchObject({ spriteX: 0, spriteY: 10, alpha: 1 });
  const many = { x: new Float32Array(3_000).fill(5), y: new Float32Array(3_000).fill(5), z: null };
  expect(
    placeThumbnails({ positions: many, plane: PLANE, emphasis: new Uint8Array(3_000).fill(2) }, SIZE, entry),
  ).toBeNull();
});

test("selected rows have their thumbnail, in front of others, which are dimmed", () => {
  const entry = { width: 10, height: 10, columns: 2 };
  const positions = { x: Float32Array.of(100, 101, 300), y: Float32Array.of(100, 101, 300), z: null };
  const placed = placeThumbnails({ positions, plane: PLANE, emphasis: Uint8Array.of(1, 3, 1) }, SIZE, entry)!;
  expect(placed.map(({ row, alpha }) => [row, alpha])).toEqual([[2, 0.3], [1, 1]]); // prettier-ignore
  const { left, top, width } = placed[1]!;
  expect(thumbnailAt(placed, { x: left + width - 1, y: top + 1 })).toBe(1);
  expect(thumbnailAt(placed, { x: left - 1, y: top + 1 })).toBeNull();
});
