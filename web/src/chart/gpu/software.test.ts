import { expect, test } from "vitest";
import { pixelOf } from "../ramp";
import type { PointsMark } from "../marks/marks";
import { DotField, drawInSoftware } from "./software";

const pixelAt = (field: DotField, x: number, y: number): number[] => {
  const at = (y * field.width + x) * 4;
  return [...field.pixels.slice(at, at + 4)];
};

test("a dot is round and stays inside the picture", () => {
  const field = new DotField(9, 9);
  field.stamp(4.5, 4.5, 2, pixelOf(0xff8000));
  expect(pixelAt(field, 4, 4)).toEqual([255, 128, 0, 255]);
  expect(pixelAt(field, 1, 1)[3]).toBe(0);
  const outside = new DotField(9, 9);
  outside.stamp(-10, 20, 3, pixelOf(0));
  expect(outside.pixels.every((byte) => byte === 0)).toBe(true);
});

test("a dot covers half of what half of it lies on, and colours blend over each other", () => {
  const field = new DotField(9, 9);
  field.stamp(4.5, 4.5, 2, pixelOf(0xff0000, 128));
  expect(pixelAt(field, 4, 4)).toEqual([255, 0, 0, 128]);
  field.stamp(4.5, 4.5, 2, pixelOf(0x0000ff, 255));
  expect(pixelAt(field, 4, 4)).toEqual([0, 0, 255, 255]);
  field.stamp(4.5, 4.5, 2, pixelOf(0xff0000, 128));
  expect(pixelAt(field, 4, 4)).toEqual([128, 0, 127, 255]);
});

test("nothing is drawn on a canvas without height", () => {
  const pen = { canvas: { width: 9, height: 0 } } as unknown as CanvasRenderingContext2D;
  const dots = { type: "points", x: Float32Array.of(1), y: Float32Array.of(1) } as unknown as PointsMark;
  expect(() => drawInSoftware(pen, { width: 9, height: 0, dpr: 1 }, [dots])).not.toThrow();
});
