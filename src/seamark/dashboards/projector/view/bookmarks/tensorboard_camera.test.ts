import { describe, expect, it } from "vitest";
import { defaultCamera, fromTensorBoard, toTensorBoard } from "./tensorboard_camera";

const FLAT = { x: Float32Array.of(0, 20, NaN), y: Float32Array.of(-5, 5, NaN), z: null };
const DEEP = { ...FLAT, z: Float32Array.of(100, 140, NaN) };

describe("TensorBoard's camera", () => {
  it("shows all points by default, in the middle of the picture", () => {
    expect(fromTensorBoard(defaultCamera(2), FLAT, 2)).toEqual({ x: 10, y: 0, z: 0, extent: 24, yaw: 0, pitch: 0 });
  });

  it("is zoomed and moved by as much of the points as ours", () => {
    const camera = fromTensorBoard({ position: [0.5, -1, 1], target: [0.5, -1, 0], zoom: 4 }, FLAT, 2);
    expect(camera).toEqual({ x: 15, y: -5, z: 0, extent: 6, yaw: 0, pitch: 0 });
  });

  it("looks along the depth if it stands before the points", () => {
    const camera = fromTensorBoard({ position: [0, 0, 2], target: [0, 0, 0], zoom: 1 }, DEEP, 3);
    expect(camera).toMatchObject({ x: 10, y: 0, z: 120, yaw: expect.closeTo(0), pitch: 0 });
  });

  it("is ours again after both ways", () => {
    const flat = { x: 3, y: 1, z: 0, extent: 7, yaw: 0, pitch: 0 };
    expect(fromTensorBoard(toTensorBoard(flat, FLAT, 2), FLAT, 2)).toEqual(close(flat));
    const deep = { x: 3, y: 1, z: 110, extent: 30, yaw: 0.4, pitch: -0.7 };
    expect(fromTensorBoard(toTensorBoard(deep, DEEP, 3), DEEP, 3)).toEqual(close(deep));
  });
});

const close = (camera: Record<string, number>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(camera).map(([name, value]) => [name, expect.closeTo(value, 6)]));
