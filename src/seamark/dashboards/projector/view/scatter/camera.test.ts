import { expect, test } from "vitest";
import { boxShapes } from "./overlay/shapes";
import {
  between,
  boxOf,
  cameraOf,
  cameraText,
  fitted,
  isFarOff,
  orbit,
  pan,
  pixelOf,
  planeOf,
  TILTED,
  zoomAt,
  type Camera,
} from "./camera";

const SIZE = { width: 400, height: 200 };
const CAMERA: Camera = { x: 1, y: 2, z: 3, extent: 10, yaw: 0.4, pitch: -0.3 };
const POINT = { x: Float32Array.of(2), y: Float32Array.of(-1), z: Float32Array.of(4) };
const at = (camera: Camera) => pixelOf(planeOf(camera, SIZE), POINT, 0);

test("what the camera looks at is in the middle, and y goes up", () => {
  const flat = { ...CAMERA, yaw: 0, pitch: 0 };
  const middle = { x: Float32Array.of(1), y: Float32Array.of(2), z: Float32Array.of(3) };
  expect(pixelOf(planeOf(CAMERA, SIZE), middle, 0)).toEqual({ x: expect.closeTo(200), y: expect.closeTo(100) });
  expect(at(flat)).toEqual({ x: expect.closeTo(220), y: expect.closeTo(160) });
});

test("panning moves points by as many pixels, from any direction", () => {
  const before = at(CAMERA);
  const after = at(pan(CAMERA, 30, -12, SIZE));
  expect(after.x - before.x).toBeCloseTo(30);
  expect(after.y - before.y).toBeCloseTo(-12);
});

test("zooming leaves what is under the pointer in its place", () => {
  const pixel = at(CAMERA);
  const after = zoomAt(CAMERA, 3, pixel, SIZE);
  expect(at(after)).toEqual({ x: expect.closeTo(pixel.x), y: expect.closeTo(pixel.y) });
  expect(after.extent).toBeCloseTo(10 / 3);
});

test("turning moves the front with the pointer, and not over the poles", () => {
  const flat: Camera = { x: 0, y: 0, z: 0, extent: 10, yaw: 0, pitch: 0 };
  const front = { x: Float32Array.of(0), y: Float32Array.of(0), z: Float32Array.of(1) };
  const turned = pixelOf(planeOf(orbit(flat, 20, 10), SIZE), front, 0);
  expect(turned.x).toBeGreaterThan(200);
  expect(turned.y).toBeGreaterThan(100);
  expect(orbit(flat, 0, 10_000).pitch).toBeCloseTo(Math.PI / 2);
});

test("everything that is shown is fitted, from any direction", () => {
  const positions = {
    x: Float32Array.of(-5, 3, NaN, 900),
    y: Float32Array.of(0, 8, 1, 900),
    z: Float32Array.of(1, -4, 0, 0),
  };
  const camera = fitted(positions, Uint8Array.of(1, 1, 1, 0), SIZE, { yaw: 0.7, pitch: 0.5 })!;
  for (const row of [0, 1]) {
    const { x, y } = pixelOf(planeOf(camera, SIZE), positions, row);
    expect(x).toBeGreaterThan(5);
    expect(x).toBeLessThan(395);
    expect(y).toBeGreaterThan(5);
    expect(y).toBeLessThan(195);
  }
  expect(fitted({ x: Float32Array.of(NaN), y: Float32Array.of(NaN), z: null }, null, SIZE)).toBeNull();
  expect(fitted({ x: Float32Array.of(7), y: Float32Array.of(7), z: null }, null, SIZE)).toMatchObject({
    x: 7,
    extent: 1,
  });
});

test("in three dimensions the box around the points is in view, with the titles of its axes", () => {
  const positions = { x: Float32Array.of(-5, 3), y: Float32Array.of(0, 8), z: Float32Array.of(1, -4) };
  const box = boxOf(positions, null)!;
  expect(box).toEqual({ low: [-5, 0, -4], high: [3, 8, 1] });
  const shapes = boxShapes(box, planeOf(fitted(positions, null, SIZE, TILTED)!, SIZE), ["PC1", "PC2"]);
  const lines = shapes.flatMap((shape) => (shape.type === "segments" ? shape.ends : []));
  expect(lines).toHaveLength(12 * 4);
  for (const [at, pixel] of lines.entries()) {
    expect(pixel).toBeGreaterThan(0);
    expect(pixel).toBeLessThan(at % 2 === 0 ? SIZE.width : SIZE.height);
  }
  expect(shapes.flatMap((shape) => (shape.type === "text" ? [shape.text] : []))).toEqual(["PC1", "PC2", "z"]);
  expect(boxOf({ x: Float32Array.of(NaN), y: Float32Array.of(0), z: null }, null)).toBeNull();
});

test("the address holds a camera, and anything else is none", () => {
  expect(cameraText({ x: 1.23456, y: -2, z: 0, extent: 12, yaw: 0, pitch: 0 })).toBe("1.235,-2,12");
  expect(cameraOf("1.235,-2,12")).toEqual({ x: 1.235, y: -2, z: 0, extent: 12, yaw: 0, pitch: 0 });
  expect(cameraOf(cameraText(CAMERA))).toEqual(CAMERA);
  for (const text of [undefined, "", "1,2", "a,b,c", "1,2,0", "1,2,-3", "1,2,3,4"]) expect(cameraOf(text)).toBeNull();
});

test("on the way to another camera the shorter turn is taken", () => {
  const from = { ...CAMERA, yaw: 3 };
  const to = { ...CAMERA, yaw: -3, extent: 40 };
  expect(Math.abs(between(from, to, 0.5).yaw)).toBeGreaterThan(3);
  expect(between(from, to, 0.5).extent).toBeCloseTo(20);
});

test("points that left the view, or shrank in it, have to be fitted anew", () => {
  expect(isFarOff(CAMERA, { ...CAMERA, extent: 11 })).toBe(false);
  expect(isFarOff(CAMERA, { ...CAMERA, extent: 100 })).toBe(true);
  expect(isFarOff(CAMERA, { ...CAMERA, extent: 2 })).toBe(true);
  expect(isFarOff(CAMERA, { ...CAMERA, x: 9 })).toBe(true);
});
