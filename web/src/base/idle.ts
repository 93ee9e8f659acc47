/** Calls a function when the browser has nothing else to do, and after `timeoutMs` in any case. Returns a cancel function. */
export function whenIdle(act: () => void, timeoutMs = 500): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, timeoutMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: timeoutMs });
  return () => cancelIdleCallback(handle);
}
