/**
 * Spreads painting over frames: many cards appear at once, and a frame must not wait for all of them. Everything on the
 * page that paints a canvas of its own goes through here; chart workers have a queue of their own (layer/queue.ts).
 */

const MIN_MS = 8;
const MAX_MS = 40;
const waiting = new Set<() => void>();
let isScheduled = false;
let endedAt = 0;

/**
 * Runs `paint` in one of the next frames, in order of request, once however often it is requested before.
 * Returns a cancel function.
 */
export function schedulePaint(paint: () => void): () => void {
  waiting.add(paint);
  if (!isScheduled) {
    endedAt = performance.now();
    scheduleFrame();
  }
  return () => waiting.delete(paint);
}

function scheduleFrame(): void {
  isScheduled = true;
  requestAnimationFrame(paintSome);
}

function paintSome(): void {
  const startedAt = performance.now();
  // On a slow browser fewer, longer frames are better: as much time for painting as for everything else.
  const end = startedAt + Math.min(Math.max(MIN_MS, startedAt - endedAt), MAX_MS);
  // A paint that requests itself again gets the next frame, not this one.
  for (const paint of [...waiting]) {
    if (!waiting.delete(paint)) continue;
    try {
      paint();
    } catch (failure) {
      // One broken picture must not end painting for all others.
      reportError(failure);
    }
    if (performance.now() > end) break;
  }
  endedAt = performance.now();
  isScheduled = false;
  if (waiting.size > 0) scheduleFrame();
}
