/** Painting in turns: many cards appear at once, and a frame of the page must not wait for all of them. */

const LEAST_MS = 8;
const MOST_MS = 40;
const waiting = new Set<() => void>();
let isDue = false;
let ended = 0;

/** Runs `paint` in one of the next frames, after those that asked before. Returns what takes the wish back. */
export function inTurn(paint: () => void): () => void {
  waiting.add(paint);
  if (!isDue) {
    isDue = true;
    ended = performance.now();
    requestAnimationFrame(takeTurns);
  }
  return () => waiting.delete(paint);
}

function takeTurns(): void {
  const begun = performance.now();
  // Where the browser takes long for a frame, fewer of them are better: as much time for pictures as for all else.
  const end = begun + Math.min(Math.max(LEAST_MS, begun - ended), MOST_MS);
  for (const paint of waiting) {
    waiting.delete(paint);
    paint();
    if (performance.now() > end) break;
  }
  ended = performance.now();
  isDue = waiting.size > 0;
  if (isDue) requestAnimationFrame(takeTurns);
}
