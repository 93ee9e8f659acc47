/** The camera of the picture: parallel projection, so that 3-D starts from the view of 2-D and nothing jumps between them. */

import type { Point, Size } from "$public/charts";

export interface Camera {
  /** What is in the middle of the picture. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Units along the shorter side of the picture: a view survives another size of it. */
  readonly extent: number;
  /** Around the vertical and the horizontal axis, in radians; both 0 in two dimensions. */
  readonly yaw: number;
  readonly pitch: number;
}

/** Positions by row; NaN where a row is not placed. */
export interface Positions {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array | null;
}

/** From units to pixels: u to the right, v down, w towards the viewer (in units, 0 in the middle). */
export interface Plane {
  readonly u: readonly [x: number, y: number, z: number, offset: number];
  readonly v: readonly [x: number, y: number, z: number, offset: number];
  readonly w: readonly [x: number, y: number, z: number, offset: number];
  readonly pxPerUnit: number;
}

const RADIANS_PER_PX = 0.008;
const MAX_PITCH = Math.PI / 2;
const PADDING = 1.12;

interface Axes {
  readonly right: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly towards: readonly [number, number, number];
}

function axesOf({ yaw, pitch }: Pick<Camera, "yaw" | "pitch">): Axes {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return { right: [cy, 0, sy], up: [sp * sy, cp, -sp * cy], towards: [-cp * sy, sp, cp * cy] };
}

export function planeOf(camera: Camera, { width, height }: Size): Plane {
  const { right, up, towards } = axesOf(camera);
  const k = Math.max(1, Math.min(width, height)) / camera.extent;
  const { x, y, z } = camera;
  const along = ([a, b, c]: Axes["up"]): number => a * x + b * y + c * z;
  return {
    u: [right[0] * k, right[1] * k, right[2] * k, width / 2 - along(right) * k],
    v: [-up[0] * k, -up[1] * k, -up[2] * k, height / 2 + along(up) * k],
    w: [towards[0], towards[1], towards[2], -along(towards)],
    pxPerUnit: k,
  };
}

/** Where a row is in the picture, in pixels. */
export function pixelOf({ u, v }: Plane, { x, y, z }: Positions, row: number): Point {
  const [px, py, pz] = [x[row]!, y[row]!, z ? z[row]! : 0];
  return { x: u[0] * px + u[1] * py + u[2] * pz + u[3], y: v[0] * px + v[1] * py + v[2] * pz + v[3] };
}

export function pan(camera: Camera, dx: number, dy: number, { width, height }: Size): Camera {
  const perPx = camera.extent / Math.max(1, Math.min(width, height));
  return moved(camera, -dx * perPx, dy * perPx);
}

/** Larger by a factor; what is at these pixels stays there. */
export function zoomAt(camera: Camera, factor: number, at: Point, { width, height }: Size): Camera {
  const extent = camera.extent / factor;
  const perPx = (camera.extent - extent) / Math.max(1, Math.min(width, height));
  return { ...moved(camera, (at.x - width / 2) * perPx, -(at.y - height / 2) * perPx), extent };
}

/** Turned by a drag of so many pixels: the front follows the pointer. */
export function orbit(camera: Camera, dx: number, dy: number): Camera {
  const pitch = Math.min(MAX_PITCH, Math.max(-MAX_PITCH, camera.pitch + dy * RADIANS_PER_PX));
  const yaw = camera.yaw + dx * RADIANS_PER_PX;
  return { ...camera, pitch, yaw: Math.atan2(Math.sin(yaw), Math.cos(yaw)) };
}

function moved(camera: Camera, right: number, up: number): Camera {
  const axes = axesOf(camera);
  return {
    ...camera,
    x: camera.x + axes.right[0] * right + axes.up[0] * up,
    y: camera.y + axes.right[1] * right + axes.up[1] * up,
    z: camera.z + axes.right[2] * right + axes.up[2] * up,
  };
}

export const FLAT = { yaw: 0, pitch: 0 } as const;
/** From where three dimensions are seen first: all three axes have a length of their own. */
export const TILTED = { yaw: 0.55, pitch: 0.4 } as const;

/** All shown points, and in three dimensions the box around them, from a direction; null without any. `isShown`: 0 where a row is hidden. */
export function fitted(
  positions: Positions,
  isShown: Uint8Array | null,
  size: Size,
  direction: Pick<Camera, "yaw" | "pitch"> = FLAT,
): Camera | null {
  const box = boxOf(positions, isShown);
  if (!box) return null;
  const { right: r, up: t } = axesOf(direction);
  const [x, y, z] = [0, 1, 2].map((axis) => (box.low[axis]! + box.high[axis]!) / 2) as [number, number, number];
  /** The corners of a box are symmetric to its middle, so the extent along a direction is that of the diagonals. */
  const along = (axis: Axes["up"]): number =>
    axis.reduce((sum, part, at) => sum + Math.abs(part) * (box.high[at]! - box.low[at]!), 0);
  const perPx = Math.max(along(r) / Math.max(1, size.width), along(t) / Math.max(1, size.height));
  const side = Math.max(1, Math.min(size.width, size.height));
  return { x, y, z, extent: perPx * side * PADDING || 1, ...direction };
}

/** The least box along the axes around the shown points. */
export interface SpaceBox {
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
}

export function boxOf({ x, y, z }: Positions, isShown: Uint8Array | null): SpaceBox | null {
  let [left, bottom, back] = [Infinity, Infinity, Infinity];
  let [right, top, front] = [-Infinity, -Infinity, -Infinity];
  for (let row = 0; row < x.length; row += 1) {
    if (isShown && isShown[row] === 0) continue;
    const [px, py, pz] = [x[row]!, y[row]!, z ? z[row]! : 0];
    if (!(px - px === 0 && py - py === 0 && pz - pz === 0)) continue; // not finite
    if (px < left) left = px;
    if (px > right) right = px;
    if (py < bottom) bottom = py;
    if (py > top) top = py;
    if (pz < back) back = pz;
    if (pz > front) front = pz;
  }
  return left === Infinity ? null : { low: [left, bottom, back], high: [right, top, front] };
}

/** On the way from one camera to another; `share` 0 is the first one. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const mix = (a: number, b: number): number => a + (b - a) * share;
  const turn = Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    z: mix(from.z, to.z),
    extent: from.extent * (to.extent / from.extent) ** share,
    yaw: from.yaw + turn * share,
    pitch: mix(from.pitch, to.pitch),
  };
}

/** For the address. */
export function cameraText({ x, y, z, extent, yaw, pitch }: Camera): string {
  const isFlat = yaw === 0 && pitch === 0 && z === 0;
  return (isFlat ? [x, y, extent] : [x, y, z, extent, yaw, pitch])
    .map((value) => String(Number(value.toPrecision(4))))
    .join(",");
}

/** The camera in the address, which may be anything; null if it is none. */
export function cameraOf(text: string | undefined): Camera | null {
  const numbers = (text ?? "").split(",").map(Number);
  if (!numbers.every(Number.isFinite) || (numbers.length !== 3 && numbers.length !== 6)) return null;
  const [x, y, z, extent, yaw, pitch] = (
    numbers.length === 3 ? [numbers[0], numbers[1], 0, numbers[2], 0, 0] : numbers
  ) as [number, number, number, number, number, number];
  return extent > 0 ? { x, y, z, extent, yaw, pitch } : null;
}

/** The rows of two pictures after each other, and which of them are shown: the same ones in both. */
export function joined(
  { positions, visible }: { readonly positions: Positions; readonly visible: Uint8Array | null },
  other: Positions,
): { readonly positions: Positions; readonly visible: Uint8Array | null } {
  const [first, second] = [positions.x.length, other.x.length];
  const join = (a: Float32Array | null, b: Float32Array | null): Float32Array => {
    const values = new Float32Array(first + second);
    if (a) values.set(a);
    if (b) values.set(b, first);
    return values;
  };
  const mask = visible && new Uint8Array(first + second);
  if (visible) {
    mask!.set(visible.subarray(0, first));
    mask!.set(visible.subarray(0, second), first);
  }
  const z = positions.z || other.z ? join(positions.z, other.z) : null;
  return { positions: { x: join(positions.x, other.x), y: join(positions.y, other.y), z }, visible: mask };
}

/** Whether so much has moved out of a view, or shrunk in it, that it has to be fitted anew. */
export function isFarOff(view: Camera, fit: Camera, { isFinal = false } = {}): boolean {
  const ratio = fit.extent / view.extent;
  const away = Math.hypot(fit.x - view.x, fit.y - view.y, fit.z - view.z) / view.extent;
  // A picture that still changes may use half of the room.
  const [most, least] = isFinal ? [1.05, 0.85] : [1.2, 0.5];
  return ratio > most || ratio < least || away > 0.25;
}
