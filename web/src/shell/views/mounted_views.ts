/** Which views stay mounted: the active one and the last ones before it, within a number and an estimate of memory. */

export interface MountedView {
  readonly name: string;
  /** Estimated when the view was last hidden; 0 before. */
  readonly bytes: number;
}

/** A view with a GPU surface has one of the 16 contexts that a browser allows. */
const MAX_HIDDEN_VIEWS = 4;
const MAX_HIDDEN_BYTES = 256 * 2 ** 20;
/** An element with its styles, listeners and effects. */
const ELEMENT_BYTES = 2048;

/** The views after `name` was opened, least recently active first. */
export function openView(views: readonly MountedView[], name: string): readonly MountedView[] {
  const opened = views.find((view) => view.name === name) ?? { name, bytes: 0 };
  return [...hiddenWithinLimits(views.filter((view) => view !== opened)), opened];
}

/** The views after the size of `name` was measured. */
export function measureView(views: readonly MountedView[], name: string, bytes: number): readonly MountedView[] {
  const measured = views.map((view) => (view.name === name ? { name, bytes } : view));
  const active = measured.at(-1);
  return active ? openView(measured, active.name) : measured;
}

function hiddenWithinLimits(views: readonly MountedView[]): readonly MountedView[] {
  let bytes = 0;
  const dropped = views.findLastIndex((view, index) => {
    bytes += view.bytes;
    return bytes > MAX_HIDDEN_BYTES || views.length - index > MAX_HIDDEN_VIEWS;
  });
  return views.slice(dropped + 1);
}

/** Pixels of canvases and images, and a flat amount per element; data in scripts is not counted. */
export function estimateBytes(view: Element): number {
  const pixels = [...view.querySelectorAll<HTMLCanvasElement | HTMLImageElement>("canvas, img")].reduce(
    (sum, element) =>
      sum +
      (element instanceof HTMLCanvasElement
        ? element.width * element.height
        : element.naturalWidth * element.naturalHeight),
    0,
  );
  return pixels * 4 + view.getElementsByTagName("*").length * ELEMENT_BYTES;
}
