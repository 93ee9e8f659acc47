import { expect, test } from "vitest";
import { planeOf } from "../camera";
import { emphasisOf, type PointStyles } from "../colours";
import { depthOrder, Raster } from "./raster";
import { RowSample } from "./row_sample";

const SIZE = { width: 20, height: 20 };
const CAMERA = { x: 10, y: 10, z: 0, extent: 20, yaw: 0, pitch: 0 };
const WHITE = 0xffffffff;

function drawn(x: number[], y: number[], change: Partial<PointStyles> = {}): Raster {
  const raster = new Raster(20, 20, 1);
  raster.clear(WHITE);
  const styles: PointStyles = {
    palette: { colours: Uint32Array.of(0xff0000, 0x0000ff), rings: Uint8Array.of(0, 1) },
    styles: new Uint8Array(x.length),
    radii: new Uint8Array(x.length).fill(12),
    emphasis: emphasisOf(x.length, null, []),
    ...change,
  };
  const positions = { x: Float32Array.from(x), y: Float32Array.from(y), z: null };
  const rows = Uint32Array.from(x.keys());
  raster.draw({ positions, plane: planeOf(CAMERA, SIZE), styles, radiusFactor: 1 }, rows, null);
  return raster;
}
const pixel = ({ words }: Raster, x: number, y: number) => (words[y * 20 + x]! & 0xffffff) >>> 0;
const inked = ({ words }: Raster) => words.reduce((count, word) => count + (word === WHITE ? 0 : 1), 0);

test("a dot is blended over the background with its alpha", () => {
  const raster = drawn([10], [10]);
  // 60 % red over white, as 0xBBGGRR.
  expect(pixel(raster, 10, 10) & 255).toBe(255);
  expect(pixel(raster, 10, 10) >> 16).toBeCloseTo(255 * 0.4, -1);
  expect(pixel(raster, 2, 2)).toBe(0xffffff);
});

test("a ring has a hole", () => {
  const raster = drawn([10], [10], { styles: Uint8Array.of(1), radii: Uint8Array.of(20) });
  expect(pixel(raster, 10, 10)).toBe(0xffffff);
  expect(pixel(raster, 14, 10)).not.toBe(0xffffff);
});

test("selected dots are larger and opaque, hidden ones are not drawn", () => {
  const [plain, selected] = [drawn([10], [10]), drawn([10], [10], { emphasis: Uint8Array.of(3) })];
  expect(inked(selected)).toBeGreaterThan(inked(plain));
  expect(pixel(selected, 10, 10)).toBe(0x0000ff);
  expect(inked(drawn([10], [10], { emphasis: Uint8Array.of(0) }))).toBe(0);
});

test("dots at the edge are cut off, and others are left out", () => {
  expect(inked(drawn([0, 20, 10, 500, NaN], [0, 20, 20, 10, 10]))).toBeGreaterThan(0);
  expect(inked(drawn([500, NaN], [10, 10]))).toBe(0);
});

test("rows are drawn from far to near", () => {
  const positions = { x: Float32Array.of(0, 0, 0), y: Float32Array.of(0, 0, 0), z: Float32Array.of(5, -5, 0) };
  const order = depthOrder(positions, planeOf({ ...CAMERA, x: 0, y: 0 }, SIZE), Uint32Array.of(0, 1, 2), 5);
  expect([...order.rows]).toEqual([1, 2, 0]);
  expect(order.depths[2]!).toBeGreaterThan(order.depths[0]!);
});

test("a sample is random, always the same, and without rows that are not placed", () => {
  const x = Float32Array.from({ length: 10_000 }, (_, row) => (row % 2 === 0 ? 1 : NaN));
  const sample = new RowSample(x).take(500);
  expect(sample).toEqual(new RowSample(x).take(500));
  expect(sample.every((row, at) => row % 2 === 0 && (at === 0 || row > sample[at - 1]!))).toBe(true);
  const mean = sample.reduce((sum, row) => sum + row, 0) / 500;
  expect(Math.abs(mean - 5_000)).toBeLessThan(500);
  expect(new RowSample(x).take(9_000)).toHaveLength(5_000);
});
