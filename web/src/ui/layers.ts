/** Layers above the page: menus, sheets, a full-screen card. Escape closes the topmost, one at a time. */

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
 * A layer that takes the keyboard focus. Call it before moving the focus into the panel. The returned function removes
 * the layer and returns the focus to where it was, unless something else has taken it, such as a command's field.
 */
export function pushFocusLayer(close: () => void, panel: () => HTMLElement | undefined): () => void {
  const before = document.activeElement;
  const remove = pushLayer(close);
  return () => {
    remove();
    const now = document.activeElement;
    const isUnclaimed = now === null || now === document.body || panel()?.contains(now);
    if (isUnclaimed && before instanceof HTMLElement) before.focus();
  };
}

/** False when there was no layer. */
export function closeTopmost(): boolean {
  const close = layers.pop() ?? views.pop();
  close?.();
  return close !== undefined;
}

export const hasLayers = (): boolean => layers.length > 0;

const views: (() => void)[] = [];

/** What a dashboard shows in place of its cards. Escape closes it after all layers; shortcuts work in it. */
export function pushView(close: () => void): () => void {
  views.push(close);
  return () => {
    const at = views.lastIndexOf(close);
    if (at >= 0) views.splice(at, 1);
  };
}
