/** Smooth changes: of the camera, and of points between two pictures of the same rows. */

import type { Positions } from "./camera";

export const MOTION_MS = 300;
/** More rows than this change at once. */
export const MAX_MOVING_ROWS = 250_000;

export const isMotionReduced = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Calls `frame` with a share from 0 to 1, eased. Returns a cancel function. */
export function animate(frame: (share: number) => void, durationMs = MOTION_MS): () => void {
  const startedAt = performance.now();
  let request = 0;
  const step = (now: number): void => {
    const share = Math.min(1, Math.max(0, (now - startedAt) / durationMs));
    if (share < 1) request = requestAnimationFrame(step);
    frame(1 - (1 - share) ** 3);
  };
  request = requestAnimationFrame(step);
  return () => cancelAnimationFrame(request);
}

/** Rows that are new, or go, do not travel: they are where they will be. */
export function positionsBetween(from: Positions, to: Positions, share: number): Positions {
  return {
    x: mixed(from.x, to.x, share),
    y: mixed(from.y, to.y, share),
    z: from.z || to.z ? mixed(from.z ?? zeros(to.x), to.z ?? zeros(to.x), share) : null,
  };
}

const zeros = ({ length }: Float32Array): Float32Array => new Float32Array(length);

function mixed(from: Float32Array, to: Float32Array, share: number): Float32Array {
  const out = new Float32Array(to.length);
  for (let row = 0; row < to.length; row += 1) {
    const [a, b] = [from[row]!, to[row]!];
    out[row] = a - a === 0 ? a + (b - a) * share : b;
  }
  return out;
}
