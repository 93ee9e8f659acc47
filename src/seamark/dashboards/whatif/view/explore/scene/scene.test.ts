import { expect, test } from "vitest";
import { brushOfText, rowsInBrush, textOfBrush } from "./brush";
import { densityMark } from "./density";
import { binEdges, histogramOf } from "./histogram";
import { fromPixel, layoutOf, panelAt, toPixel, xAxisOf, yAxisOf } from "./layout";
import { facetMarks, MAX_DOTS, pixelsOf, sizesOf } from "./points";

const PANEL = { left: 0, top: 0, right: 100, bottom: 50 };
const rowsUpTo = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, row) => row);

test("facets are side by side, in even rows, and below each other on a phone", () => {
  const wide = layoutOf(2, { width: 760, height: 420 }, 34);
  expect(wide.map(({ top }) => top)).toEqual([22, 22]);
  expect(wide[1]!.left).toBeGreaterThan(wide[0]!.right);
  const four = layoutOf(4, { width: 900, height: 420 }, 34);
  expect(new Set(four.map(({ top }) => top)).size).toBe(2);
  const narrow = layoutOf(2, { width: 380, height: 480 }, 34);
  expect(narrow[0]!.left).toBe(narrow[1]!.left);
  expect(narrow[1]!.top).toBeGreaterThan(narrow[0]!.bottom);
});

test("values become pixels and pixels values", () => {
  const x = xAxisOf(PANEL, { from: 10, to: 30 });
  expect(toPixel(x, 10)).toBe(4);
  expect(fromPixel(x, toPixel(x, 17))).toBeCloseTo(17);
  expect(toPixel(yAxisOf(PANEL, { from: 0, to: 1 }), 1)).toBe(0);
  expect(panelAt([PANEL], 50, 20)).toBe(0);
  expect(panelAt([PANEL], 150, 20)).toBeNull();
});

test("rows of no facet have no place", () => {
  const x = { positions: Float32Array.from([0, 1]), range: { from: 0, to: 1 } };
  const pixels = pixelsOf([{ name: "", rows: Uint32Array.from([1]) }], [PANEL], x, x);
  expect(pixels.x[0]).toBeNaN();
  expect([pixels.x[1], pixels.y[1]]).toEqual([96, 0]);
});

test("errors are crosses of two lines each; the others are dots", () => {
  const points = { x: Float32Array.from([1, 2, 3]), y: Float32Array.from([1, 2, 3]) };
  const style = { pixels: Uint32Array.from([1, 2, 3]), judged: Uint8Array.from([0, 1, 2]), sizes: null };
  const [dots, crosses] = facetMarks(points, rowsUpTo(3), PANEL, style);
  expect(dots).toMatchObject({ type: "points", order: Uint32Array.from([0, 2]) });
  expect(crosses).toMatchObject({ type: "lines", isJoined: false });
  expect((crosses as { x: Float32Array }).x).toHaveLength(4);
});

test("above 20,000 rows a facet is a density, and its errors stay points", () => {
  const count = MAX_DOTS + 1;
  const points = { x: new Float32Array(count).fill(10), y: new Float32Array(count).fill(10) };
  const judged = new Uint8Array(count);
  judged[5] = 1;
  const style = { pixels: new Uint32Array(count).fill(0xff0000ff), judged, sizes: null };
  const [density, crosses] = facetMarks(points, rowsUpTo(count), PANEL, style);
  expect(density).toMatchObject({ type: "rects", x0: Float32Array.from([8]) });
  expect((crosses as { x: Float32Array }).x).toHaveLength(4);
});

test("a cell has the mean colour of its points, and more points are stronger", () => {
  const points = { x: Float32Array.from([1, 1, 21]), y: Float32Array.from([1, 1, 1]) };
  const mark = densityMark(points, rowsUpTo(3), PANEL, Uint32Array.from([0xff0000ff, 0xff00ff00, 0xffff0000]));
  const colour = (mark as unknown as { colour: Uint32Array }).colour;
  expect([colour[0]! & 255, (colour[0]! >>> 8) & 255]).toEqual([128, 128]);
  expect(colour[0]! >>> 24).toBeGreaterThan(colour[1]! >>> 24);
});

test("sizes go by rank", () => {
  expect([...sizesOf([1, 2, 3, 4, 1000])]).toEqual([0, 1, 2, 3, 4]);
});

test("every row is in one bar, and the last bar has its upper border", () => {
  const dimension = {
    label: "P(yes)",
    positions: Float32Array.from([0, 0.5, 1, NaN]),
    range: { from: 0, to: 1 },
    names: [],
  };
  const edges = binEdges(dimension);
  expect([edges[0], edges.at(-1)]).toEqual([0, 1]);
  const { counts } = histogramOf(dimension, [{ name: "", rows: rowsUpTo(4) }], null);
  expect(counts[0]!.reduce((sum, bin) => sum + bin[0]!, 0)).toBe(3);
  expect(counts[0]!.at(-1)![0]).toBe(1);
});

test("a box holds what lies in it and on its edges, in one facet", () => {
  const facets = [
    { name: "a", rows: Uint32Array.from([0, 1]) },
    { name: "b", rows: Uint32Array.from([2]) },
  ];
  const [x, y] = [Float32Array.from([1, 5, 1]), Float32Array.from([1, 1, 1])];
  const box = { facet: "a", x: [1, 0], y: [2, 1] };
  expect([...rowsInBrush(box, facets, x, y)]).toEqual([0]);
  expect([...rowsInBrush({ ...box, y: [8, 9] }, facets, x, null)]).toEqual([0]);
  expect([...rowsInBrush({ ...box, facet: "gone" }, facets, x, y)]).toEqual([]);
});

test("a lasso holds what lies inside its corners", () => {
  const facets = [{ name: "", rows: rowsUpTo(2) }];
  const triangle = { facet: "", x: [0, 10, 0], y: [0, 0, 10] };
  expect([...rowsInBrush(triangle, facets, Float32Array.from([2, 8]), Float32Array.from([2, 8]))]).toEqual([0]);
});

test("a brush survives the address, and anything else is none", () => {
  const box = { facet: "Female", x: [25, 40.5], y: [0.25, 0.75] };
  expect(brushOfText(textOfBrush(box))).toEqual(box);
  const lasso = { facet: "", x: Array.from({ length: 900 }, (_, at) => at), y: Array.from({ length: 900 }, () => 1) };
  expect(brushOfText(textOfBrush(lasso))!.x.length).toBeLessThanOrEqual(64);
  for (const text of [undefined, "", "7", "{}", '{"facet":"a","x":[1],"y":[1]}', '{"facet":1,"x":[1,2],"y":[1,2]}'])
    expect(brushOfText(text)).toBeNull();
});
