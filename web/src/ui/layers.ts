/**
 * What is open above the page: dialogs, popovers, a full-screen card. The browser orders its own dialogs and popovers,
 * but not full-screen cards and docked panels among them, so Escape goes through one list: the topmost closes.
 */

interface Layer {
  readonly close: () => void;
  /** It replaces the cards of a dashboard: it closes after all others, and shortcuts work in it. */
  readonly isView: boolean;
  /** Its dashboard is hidden. */
  isSuspended: boolean;
}

const layers: Layer[] = [];

/** Returns a function that removes the layer without closing it. */
export const pushLayer = (close: () => void): (() => void) => push({ close, isView: false, isSuspended: false });

/** What a dashboard shows in place of its cards. Escape closes it after all layers; shortcuts work in it. */
export const pushView = (close: () => void): (() => void) => push({ close, isView: true, isSuspended: false });

function push(layer: Layer): () => void {
  layers.push(layer);
  return () => {
    const index = layers.indexOf(layer);
    if (index >= 0) layers.splice(index, 1);
  };
}

/** Ignores the present layers, those of a dashboard that is being hidden. Returns a function that restores them. */
export function suspendLayers(): () => void {
  const suspended = layers.filter((layer) => !layer.isSuspended);
  for (const layer of suspended) layer.isSuspended = true;
  return () => suspended.forEach((layer) => (layer.isSuspended = false));
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

const topmost = (isView: boolean): Layer | undefined =>
  layers.findLast((layer) => !layer.isSuspended && layer.isView === isView);

/** False when there was no layer. */
export function closeTopmost(): boolean {
  const layer = topmost(false) ?? topmost(true);
  if (!layer) return false;
  layers.splice(layers.indexOf(layer), 1);
  layer.close();
  return true;
}

export const hasLayers = (): boolean => topmost(false) !== undefined;
