/** When the browser has nothing else to do, and after so long in any case. Returns what calls it off. */

const PATIENCE_MS = 500;

export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, PATIENCE_MS);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(act, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(asked);
}
