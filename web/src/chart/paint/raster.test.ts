import { expect, test } from "vitest";
import { count, densityBins, developDensity } from "./density";
import { blend, toImageData, emptySpans, trace, type StrokeStyle, type Spans } from "./raster";

const f32 = (...values: number[]): Float32Array => Float32Array.from(values);
const SOLID: StrokeStyle = { rgb: 0x102030, alpha: 1, thickness: 1, dash: 5, gap: 0, phase: 0 };

function traced(width: number, ...points: readonly (readonly [number, number])[]): Spans {
  const spans = emptySpans(width);
  trace(spans, f32(...points.map(([x]) => x)), f32(...points.map(([, y]) => y)), points.length);
  return spans;
}

function inkOf(spans: Spans, height: number, ink: StrokeStyle): Uint32Array {
  const width = spans.low.length;
  const image = new Int32Array(width * height);
  blend(image, height, spans, ink);
  const out = new Uint32Array(width * height);
  toImageData(image, width, height, out);
  return out;
}

test("a slanted line covers in each column what it crosses there", () => {
  const { low, high } = traced(4, [0.5, 0], [3.5, 6]);
  expect([...low]).toEqual([0, 1, 3, 5]);
  expect([...high]).toEqual([1, 3, 5, 6]);
});

test("a spike inside one column is kept whole", () => {
  const { low, high } = traced(3, [0, 5], [1.2, 5], [1.5, 0], [1.8, 5], [2.9, 5]);
  expect([low[1], high[1]]).toEqual([0, 5]);
  expect([low[0], high[0]]).toEqual([5, 5]);
});

test("a gap stays empty, and a point alone covers its own column", () => {
  const { low, high } = traced(6, [0.5, 1], [1.5, 1], [2.5, NaN], [3.5, 2], [4.5, NaN]);
  expect([0, 1, 2, 3, 4, 5].filter((column) => low[column]! <= high[column]!)).toEqual([0, 1, 3]);
});

test("lines enter from the left and leave to the right, also when drawn backwards", () => {
  for (const points of [
    [
      [-10, -10],
      [10, 10],
    ],
    [
      [10, 10],
      [-10, -10],
    ],
  ] as const) {
    const { low, high } = traced(3, ...points);
    expect([...low].map((value) => Math.round(value))).toEqual([0, 1, 2]);
    expect([...high].map((value) => Math.round(value))).toEqual([1, 2, 3]);
  }
});

test("a flat line is one opaque pixel thick in its own colour", () => {
  const pixels = inkOf(traced(2, [0, 1.5], [2, 1.5]), 3, SOLID);
  expect([...pixels].map((pixel) => pixel.toString(16))).toEqual(["0", "0", "ff302010", "ff302010", "0", "0"]);
});

test("between two pixel rows the ink is shared", () => {
  const pixels = inkOf(traced(1, [0, 1], [1, 1]), 2, SOLID);
  expect([...pixels].map((pixel) => pixel >>> 24)).toEqual([128, 128]);
  expect(pixels[0]! & 0xff).toBeGreaterThan(0x0e);
});

test("what lies outside is cut off without a trace elsewhere", () => {
  expect([...inkOf(traced(2, [0, -50], [2, -50]), 4, SOLID)]).toEqual(new Array(8).fill(0));
  expect([...inkOf(traced(1, [0, -50], [0.9, 50]), 2, SOLID)].map((pixel) => pixel >>> 24)).toEqual([255, 255]);
});

test("lines add up where they cross", () => {
  const image = new Int32Array(1);
  for (let line = 0; line < 2; line += 1) blend(image, 1, traced(1, [0, 0.5], [1, 0.5]), { ...SOLID, alpha: 0.5 });
  expect(image[0]! >>> 24).toBeGreaterThan(180);
});

test("dashes leave columns out", () => {
  const pixels = inkOf(traced(10, [0, 0.5], [10, 0.5]), 1, { ...SOLID, dash: 3, gap: 2 });
  expect([...pixels].map((pixel) => (pixel ? "#" : ".")).join("")).toBe("###..###..");
});

test("density counts lines, and more lines are further along the ramp", () => {
  const bins = densityBins(2, 2);
  for (let line = 0; line < 9; line += 1) count(bins, 2, traced(2, [0, 0.5], [1, 0.5]));
  count(bins, 2, traced(2, [1, 1.5], [2, 1.5]));
  const out = new Uint32Array(4);
  developDensity(bins, 2, 2, [0xff0000, 0x0000ff], out);
  expect(out[0]!.toString(16)).toBe("ffff0000");
  expect(out[2]).toBe(0);
  expect(out[3]! & 0xff).toBeGreaterThan((out[3]! >>> 16) & 0xff);
});
