/** Spreads painting over frames: many cards appear at once, and a frame must not wait for all of them. */

const MIN_MS = 8;
const MAX_MS = 40;
const waiting = new Set<() => void>();
let isScheduled = false;
let endedAt = 0;

/** Runs `paint` in one of the next frames, in order of request. Returns a cancel function. */
export function schedulePaint(paint: () => void): () => void {
  waiting.add(paint);
  if (!isScheduled) {
    isScheduled = true;
    endedAt = performance.now();
    requestAnimationFrame(paintSome);
  }
  return () => waiting.delete(paint);
}

function paintSome(): void {
  const startedAt = performance.now();
  // On a slow browser fewer, longer frames are better: as much time for painting as for everything else.
  const end = startedAt + Math.min(Math.max(MIN_MS, startedAt - endedAt), MAX_MS);
  for (const paint of waiting) {
    waiting.delete(paint);
    paint();
    if (performance.now() > end) break;
  }
  endedAt = performance.now();
  isScheduled = waiting.size > 0;
  if (isScheduled) requestAnimationFrame(paintSome);
}
