/** What lies on top of the page: menus, sheets, a full-screen card. Escape closes the topmost, one at a time. */

const layers: (() => void)[] = [];

/** Returns the function to call when the thing closed by itself. */
export function pushLayer(close: () => void): () => void {
  layers.push(close);
  return () => {
    const at = layers.lastIndexOf(close);
    if (at >= 0) layers.splice(at, 1);
  };
}

/** False when nothing lay on top. */
export function closeTopmost(): boolean {
  const close = layers.pop();
  close?.();
  return close !== undefined;
}

export const hasLayers = (): boolean => layers.length > 0;
