/** How wide the details panel is, and whether it is collapsed; stored in this browser. */

import { readStored, writeStored } from "../../base/browser_storage";

const KEY = "seamark.details";
export const MIN_WIDTH_PX = 240;
export const MAX_WIDTH_PX = 720;
const WIDTH_PX = 340;

interface Stored {
  readonly widthPx: number;
  readonly isCollapsed: boolean;
}

export function parseStored(text: string | null): Stored {
  try {
    const { widthPx, isCollapsed } = JSON.parse(text ?? "{}") as Partial<Record<keyof Stored, unknown>>;
    return { widthPx: clampWidth(Number(widthPx ?? WIDTH_PX)), isCollapsed: isCollapsed === true };
  } catch {
    return { widthPx: WIDTH_PX, isCollapsed: false };
  }
}

export const clampWidth = (widthPx: number): number =>
  Number.isFinite(widthPx) ? Math.min(Math.max(Math.round(widthPx), MIN_WIDTH_PX), MAX_WIDTH_PX) : WIDTH_PX;

export class PanelSize {
  #stored = $state.raw<Stored>(parseStored(readStored(KEY)));

  get widthPx(): number {
    return this.#stored.widthPx;
  }

  get isCollapsed(): boolean {
    return this.#stored.isCollapsed;
  }

  resize(widthPx: number): void {
    this.#store({ ...this.#stored, widthPx: clampWidth(widthPx) });
  }

  toggle(): void {
    this.#store({ ...this.#stored, isCollapsed: !this.isCollapsed });
  }

  #store(next: Stored): void {
    this.#stored = next;
    writeStored(KEY, JSON.stringify(next));
  }
}
