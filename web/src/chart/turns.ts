/** Painting in turns: many cards appear at once, and a frame of the page must not wait for all of them. */

const BUDGET_MS = 8;
const waiting = new Set<() => void>();
let isDue = false;

/** Runs `paint` in one of the next frames, after those that asked before. Returns what takes the wish back. */
export function inTurn(paint: () => void): () => void {
  waiting.add(paint);
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(takeTurns);
  }
  return () => waiting.delete(paint);
}

function takeTurns(): void {
  const end = performance.now() + BUDGET_MS;
  for (const paint of waiting) {
    waiting.delete(paint);
    paint();
    if (performance.now() > end) break;
  }
  isDue = waiting.size > 0;
  if (isDue) requestAnimationFrame(takeTurns);
}
