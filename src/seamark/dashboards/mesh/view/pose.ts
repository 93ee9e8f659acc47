/** Where a camera is, told in sizes of the thing it looks at: so that one pose fits meshes of any size. */

export type Vector = readonly [number, number, number];

export interface Pose {
  /** From the target to the camera, in radii of the thing. */
  readonly eye: Vector;
  /** From the centre of the thing to what is looked at, in radii. */
  readonly target: Vector;
}

/** A little from above and from the side: flat things show their face, deep ones their depth. */
export const START: Pose = { eye: [1.1, 0.9, 1.9], target: [0, 0, 0] };

export function toPose(eye: Vector, target: Vector, centre: Vector, radius: number): Pose {
  return { eye: each((k) => (eye[k]! - target[k]!) / radius), target: each((k) => (target[k]! - centre[k]!) / radius) };
}

export function fromPose(pose: Pose, centre: Vector, radius: number): { eye: Vector; target: Vector } {
  const target = each((k) => centre[k]! + pose.target[k]! * radius);
  return { target, eye: each((k) => target[k]! + pose.eye[k]! * radius) };
}

/** Far enough that all of a sphere of radius 1 is seen, whatever the frame's shape. */
export function fitted(pose: Pose, fovDegrees: number, aspect: number): Pose {
  const half = (fovDegrees * Math.PI) / 360;
  const narrow = Math.min(half, Math.atan(Math.tan(half) * aspect));
  const distance = 1.02 / Math.sin(narrow);
  const length = Math.hypot(...pose.eye) || 1;
  return { eye: each((k) => (pose.eye[k]! / length) * distance), target: [0, 0, 0] };
}

const each = (value: (k: number) => number): Vector => [value(0), value(1), value(2)];
