/**
 * What is open above the page: dialogs, popovers, a full-screen card. The browser orders its own dialogs and popovers,
 * but not full-screen cards and docked panels among them, so Escape goes through one list: the topmost closes.
 */

const layers: (() => void)[] = [];

/** Returns a function that removes the layer without closing it. */
export function pushLayer(close: () => void): () => void {
  layers.push(close);
  return () => {
    const at = layers.lastIndexOf(close);
    if (at >= 0) layers.splice(at, 1);
  };
}

/**
 * The same for a layer that takes the focus: call it before the focus moves. Removing the layer returns the focus to
 * where it was, unless something else has it. The browser does that only for what is closed before it is removed.
 */
export function pushFocusLayer(close: () => void, panel: HTMLElement): () => void {
  const before = document.activeElement;
  const remove = pushLayer(close);
  return () => {
    remove();
    const now = document.activeElement;
    const isUnclaimed = now === null || now === document.body || panel.contains(now);
    if (isUnclaimed && before instanceof HTMLElement) before.focus();
  };
}

/** False when there was no layer. */
export function closeTopmost(): boolean {
  const close = layers.pop();
  close?.();
  return close !== undefined;
}

export const hasLayers = (): boolean => layers.length > 0;
