/** What pointers do in the picture of Explore: point, click, draw a box, or a lasso with Shift; `{@attach gestures(host)}`. */

import type { Attachment } from "svelte/attachments";

interface Position {
  readonly x: number;
  readonly y: number;
}

/** All positions are pixels of the picture. */
export interface GestureHost {
  startBrush(type: "box" | "lasso", at: Position): void;
  extendBrush(at: Position): void;
  endBrush(): void;
  cancelBrush(): void;
  pointAt(at: Position | null): void;
  click(at: Position): void;
}

const CLICK_PX = 4;

/** Without a page, hence testable. */
export class Gestures {
  #pressed: { readonly id: number; readonly at: Position; readonly isLasso: boolean } | null = null;
  #isDrawing = false;

  constructor(private readonly host: GestureHost) {}

  press(id: number, at: Position, isLasso: boolean): void {
    if (this.#pressed) return this.cancel();
    this.#pressed = { id, at, isLasso };
    this.#isDrawing = false;
  }

  move(id: number, at: Position): void {
    const pressed = this.#pressed;
    if (pressed?.id !== id) return pressed ? undefined : this.host.pointAt(at);
    if (!this.#isDrawing) {
      if (Math.hypot(at.x - pressed.at.x, at.y - pressed.at.y) < CLICK_PX) return;
      this.#isDrawing = true;
      this.host.pointAt(null);
      this.host.startBrush(pressed.isLasso ? "lasso" : "box", pressed.at);
    }
    this.host.extendBrush(at);
  }

  release(id: number, at: Position): void {
    if (this.#pressed?.id !== id) return;
    this.#pressed = null;
    if (this.#isDrawing) this.host.endBrush();
    else this.host.click(at);
  }

  /** A second finger, or the browser took the pointer. */
  cancel(): void {
    if (this.#isDrawing) this.host.cancelBrush();
    this.#pressed = null;
    this.#isDrawing = false;
  }

  leave(): void {
    if (!this.#pressed) this.host.pointAt(null);
  }
}

export const gestures =
  (host: GestureHost): Attachment<HTMLElement> =>
  (element) => {
    const made = new Gestures(host);
    const at = (event: PointerEvent): Position => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      made.press(event.pointerId, at(event), event.shiftKey);
    };
    const listeners: readonly (readonly [string, (event: PointerEvent) => void])[] = [
      ["pointerdown", down],
      ["pointermove", (event) => made.move(event.pointerId, at(event))],
      ["pointerup", (event) => made.release(event.pointerId, at(event))],
      ["pointercancel", () => made.cancel()],
      ["pointerleave", () => made.leave()],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as EventListener);
    };
  };
