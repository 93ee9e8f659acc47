/** Calls `act` when the browser has nothing else to do, or after this time. Returns a function that cancels it. */

const MAX_DELAY_MS = 500;

export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, MAX_DELAY_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: MAX_DELAY_MS });
  return () => cancelIdleCallback(handle);
}
