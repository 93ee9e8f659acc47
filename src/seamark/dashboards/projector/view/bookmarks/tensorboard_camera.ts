/**
 * TensorBoard's camera and ours. Its points are scaled to a cube from −1 to 1, each axis on its own. In two dimensions
 * the shorter side shows 2.4 of it; in three dimensions the camera has a vertical angle of 70°.
 */

import type { Camera, Positions } from "../scatter/camera";
import type { TensorBoardCamera } from "./bookmark";

const FLAT_EXTENT = 2.4;
const FLAT_DISTANCE = 4;
const EXTENT_PER_DISTANCE = 2 * Math.tan((35 * Math.PI) / 180);

/** The default of TensorBoard, which shows everything. */
export const defaultCamera = (dims: 2 | 3): TensorBoardCamera => ({
  position: dims === 2 ? [0, 0, FLAT_DISTANCE] : [0.45, 0.9, 1.6],
  target: [0, 0, 0],
  zoom: 1,
});

export function toTensorBoard(camera: Camera, positions: Positions, dims: 2 | 3): TensorBoardCamera {
  const { middle, half } = boxOf(positions);
  const size = Math.max(...half);
  const target = middle.map((at, axis) => ([camera.x, camera.y, camera.z][axis]! - at) / half[axis]!);
  if (dims === 2) {
    const flat = [target[0]!, target[1]!, 0];
    return { target: flat, position: [flat[0]!, flat[1]!, FLAT_DISTANCE], zoom: (FLAT_EXTENT * size) / camera.extent };
  }
  const distance = camera.extent / size / EXTENT_PER_DISTANCE;
  const { yaw, pitch } = camera;
  const towards = [-Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch), Math.cos(pitch) * Math.cos(yaw)];
  return { target, position: target.map((at, axis) => at + distance * towards[axis]!), zoom: 1 };
}

export function fromTensorBoard(
  { position, target, zoom }: TensorBoardCamera,
  positions: Positions,
  dims: 2 | 3,
): Camera {
  const { middle, half } = boxOf(positions);
  const size = Math.max(...half);
  const [x, y, z] = middle.map((at, axis) => at + target[axis]! * half[axis]!) as [number, number, number];
  if (dims === 2) return { x, y, z: 0, extent: (FLAT_EXTENT * size) / zoom, yaw: 0, pitch: 0 };
  const [dx, dy, dz] = position.map((at, axis) => at - target[axis]!) as [number, number, number];
  const distance = Math.hypot(dx, dy, dz) || 1;
  const extent = (EXTENT_PER_DISTANCE * distance * size) / zoom;
  return { x, y, z, extent, yaw: Math.atan2(-dx, dz), pitch: Math.asin(dy / distance) };
}

/** Of the points that are placed. An axis without a spread has a half of 1. */
function boxOf({ x, y, z }: Positions): { middle: number[]; half: number[] } {
  const ranges = (z ? [x, y, z] : [x, y]).map((values) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? { low, high } : { low: 0, high: 0 };
  });
  return {
    middle: ranges.map(({ low, high }) => (low + high) / 2),
    half: ranges.map(({ low, high }) => (high - low) / 2 || 1),
  };
}
