import { expect, test } from "vitest";
import { planeOf, type Camera } from "./camera";
import { areaOf, combined, nearestRow, nearestTowards, rowsInside } from "./picking";

const SIZE = { width: 100, height: 100 };
const FLAT: Camera = { x: 50, y: 50, z: 0, extent: 100, yaw: 0, pitch: 0 };
// Units are pixels, y goes up.
const positions = { x: Float32Array.of(10, 50, 90, 50, NaN), y: Float32Array.of(50, 50, 50, 90, 1), z: null };
const pickable = { positions, plane: planeOf(FLAT, SIZE), emphasis: new Uint8Array(5).fill(2) };

test("the nearest shown row within reach", () => {
  expect(nearestRow(pickable, { x: 52, y: 51 }, 12)).toBe(1);
  expect(nearestRow(pickable, { x: 30, y: 30 }, 12)).toBeNull();
  expect(nearestRow({ ...pickable, emphasis: Uint8Array.of(2, 0, 2, 2, 2) }, { x: 52, y: 51 }, 12)).toBeNull();
});

test("the next row in a direction", () => {
  const from = { x: 50, y: 50 };
  expect(nearestTowards(pickable, from, "right", 1)).toBe(2);
  expect(nearestTowards(pickable, from, "left", 1)).toBe(0);
  expect(nearestTowards(pickable, from, "up", 1)).toBe(3);
  expect(nearestTowards(pickable, from, "down", 1)).toBeNull();
});

test("a lasso holds the rows inside, and what it surrounds twice is outside", () => {
  expect([...rowsInside(pickable, areaOf({ x: [0, 60, 60, 0], y: [40, 40, 60, 60] }))]).toEqual([0, 1]);
  const twice = { x: [0, 60, 60, 0, 0, 60, 60, 0], y: [40, 40, 60, 60, 40, 40, 60, 60] };
  expect([...rowsInside(pickable, areaOf(twice))]).toEqual([]);
  expect([...rowsInside(pickable, areaOf({ x: [1], y: [1] }))]).toEqual([]);
});

test("in three dimensions the lasso holds what is seen inside it", () => {
  const deep = { x: Float32Array.of(50, 50), y: Float32Array.of(50, 50), z: Float32Array.of(30, -30) };
  const area = areaOf({ x: [60, 100, 100, 60], y: [40, 40, 60, 60] });
  const seen = (yaw: number) =>
    rowsInside({ positions: deep, plane: planeOf({ ...FLAT, yaw }, SIZE), emphasis: Uint8Array.of(2, 2) }, area);
  expect([...seen(0)]).toEqual([]);
  expect([...seen(Math.PI / 2)]).toEqual([0]);
  expect([...seen(-Math.PI / 2)]).toEqual([1]);
});

test("Shift adds and Alt removes", () => {
  const [selected, inside] = [Uint32Array.of(1, 4), Uint32Array.of(2, 4)];
  expect([...combined(selected, inside, "replace")]).toEqual([2, 4]);
  expect([...combined(selected, inside, "add")]).toEqual([1, 2, 4]);
  expect([...combined(selected, inside, "remove")]).toEqual([1]);
});
