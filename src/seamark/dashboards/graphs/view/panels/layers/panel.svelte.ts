/** LayersPanel: whether the layers table is open, and how high it is; stored in this browser. */

import { browserStorage, parseJson } from "$public/core";

const KEY = "seamark.graph_layers";
export const MIN_HEIGHT_PX = 110;
export const MAX_HEIGHT_PX = 700;
const HEIGHT_PX = 188;
/** On a narrow page the open table covers everything. */
const NARROW_PX = 700;

interface Stored {
  readonly heightPx: number;
  readonly isOpen: boolean;
}

export function parseStored(text: string | null): Stored {
  const { heightPx, isOpen } = (parseJson(text ?? "{}") ?? {}) as Partial<Record<keyof Stored, unknown>>;
  return { heightPx: clampHeight(Number(heightPx ?? HEIGHT_PX)), isOpen: isOpen !== false };
}

export const clampHeight = (heightPx: number): number =>
  Number.isFinite(heightPx) ? Math.min(Math.max(Math.round(heightPx), MIN_HEIGHT_PX), MAX_HEIGHT_PX) : HEIGHT_PX;

export class LayersPanel {
  heightPx = $state(HEIGHT_PX);
  isOpen = $state(false);

  constructor() {
    const { heightPx, isOpen } = parseStored(browserStorage.read(KEY));
    this.heightPx = heightPx;
    this.isOpen = isOpen && innerWidth > NARROW_PX;
  }

  toggle(): void {
    this.isOpen = !this.isOpen;
    this.#store();
  }

  resize(heightPx: number): void {
    this.heightPx = clampHeight(heightPx);
    this.#store();
  }

  #store(): void {
    browserStorage.write(KEY, JSON.stringify({ heightPx: this.heightPx, isOpen: this.isOpen }));
  }
}
