/** What pointers do to the picture: pan, turn, zoom, draw an area, point and click; `{@attach gestures(host)}`. */

import { viewports, type Point } from "$public/charts";
import type { Tool } from "../projector_model.svelte";
import type { SelectionMode } from "./picking";

/** All pixels are those of the picture. */
export interface GestureHost {
  readonly tool: Tool;
  readonly canTurn: boolean;
  /** An area is being drawn. */
  readonly isDrawing: boolean;
  panBy(dx: number, dy: number): void;
  turnBy(dx: number, dy: number): void;
  zoomBy(factor: number, at: Point): void;
  startArea(type: "box" | "lasso", at: Point, mode: SelectionMode): void;
  extendArea(at: Point): void;
  endArea(): void;
  cancelArea(): void;
  /** The pointer is here; null: it has left. */
  pointAt(at: Point | null): void;
  click(at: Point): void;
  doubleClick(at: Point): void;
  /** True if the key is used up. */
  key(key: string): boolean;
}

export interface Press {
  readonly button: number;
  readonly isTouch: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const CLICK_PX = 4;
const LONG_PRESS_MS = 500;

type Action = "pan" | "turn" | "draw" | null;

/** Without a page, hence testable. */
export class Gestures {
  readonly #pointers = new Map<number, Point>();
  #action: Action = null;
  #pressedAt: Point | null = null;
  #hasMoved = false;
  #longPress: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: GestureHost) {}

  press(id: number, at: Point, press: Press): void {
    const { host } = this;
    if (this.#pointers.size >= 2) return;
    this.#pointers.set(id, at);
    clearTimeout(this.#longPress);
    if (this.#pointers.size === 2) {
      // The second finger zooms, whatever the first one did.
      if (this.#action === "draw") host.cancelArea();
      [this.#action, this.#hasMoved] = ["pan", true];
      return;
    }
    [this.#pressedAt, this.#hasMoved] = [at, false];
    const mode = press.shiftKey ? "add" : press.altKey ? "remove" : "replace";
    const isPan = press.button !== 0 || (host.tool === "pan" && press.shiftKey) || !host.canTurn;
    this.#action = host.tool !== "pan" && press.button === 0 ? "draw" : isPan ? "pan" : "turn";
    if (this.#action === "draw" && host.tool !== "pan") host.startArea(host.tool, at, mode);
    else if (press.isTouch) this.#longPress = setTimeout(() => this.#startLasso(at), LONG_PRESS_MS);
  }

  #startLasso(at: Point): void {
    if (this.#hasMoved || this.#pointers.size !== 1) return;
    this.#action = "draw";
    this.#hasMoved = true;
    this.host.startArea("lasso", at, "replace");
  }

  move(id: number, at: Point): void {
    const { host } = this;
    const before = this.#pointers.get(id);
    if (!before || !this.#pressedAt) {
      if (this.#pointers.size === 0) host.pointAt(at);
      return;
    }
    if (Math.hypot(at.x - this.#pressedAt.x, at.y - this.#pressedAt.y) >= CLICK_PX) this.#hasMoved = true;
    if (!this.#hasMoved) return;
    clearTimeout(this.#longPress);
    this.#pointers.set(id, at);
    const other = [...this.#pointers].find(([each]) => each !== id)?.[1];
    if (other) this.#pinch(before, at, other);
    else if (this.#action === "pan") host.panBy(at.x - before.x, at.y - before.y);
    else if (this.#action === "turn") host.turnBy(at.x - before.x, at.y - before.y);
    else if (this.#action === "draw") host.extendArea(at);
  }

  #pinch(before: Point, after: Point, other: Point): void {
    const apart = (point: Point): number => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    this.host.panBy((after.x - before.x) / 2, (after.y - before.y) / 2);
    this.host.zoomBy(apart(after) / apart(before), { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 });
  }

  release(id: number, at: Point): void {
    if (!this.#pointers.delete(id)) return;
    clearTimeout(this.#longPress);
    if (this.#pointers.size > 0) return;
    if (!this.#hasMoved) {
      if (this.#action === "draw") this.host.cancelArea();
      this.host.click(at);
    } else if (this.#action === "draw" && this.host.isDrawing) this.host.endArea();
    this.#action = null;
  }

  /** The browser has taken the pointer away. */
  cancel(id: number): void {
    if (!this.#pointers.delete(id)) return;
    clearTimeout(this.#longPress);
    if (this.#action === "draw") this.host.cancelArea();
    this.#action = null;
  }
}

/** For `{@attach …}`. Keys work while the element has the focus. */
export function gestures(host: GestureHost): (node: HTMLElement) => () => void {
  return (node) => {
    const made = new Gestures(host);
    const listening = new AbortController();
    const pointOf = (event: MouseEvent): Point => {
      const box = node.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const listen = <T extends keyof HTMLElementEventMap>(
      type: T,
      handle: (event: HTMLElementEventMap[T]) => void,
    ): void => node.addEventListener(type, handle, { passive: false, signal: listening.signal });
    listen("pointerdown", (event) => {
      if ((event.target as Element).closest("button, a")) return;
      node.setPointerCapture(event.pointerId);
      const { button, pointerType, shiftKey, altKey } = event;
      made.press(event.pointerId, pointOf(event), { button, isTouch: pointerType === "touch", shiftKey, altKey });
    });
    listen("pointermove", (event) => made.move(event.pointerId, pointOf(event)));
    listen("pointerup", (event) => made.release(event.pointerId, pointOf(event)));
    listen("pointercancel", (event) => made.cancel(event.pointerId));
    listen("pointerleave", () => host.pointAt(null));
    listen("dblclick", (event) => host.doubleClick(pointOf(event)));
    listen("contextmenu", (event) => event.preventDefault());
    listen("wheel", (event) => {
      event.preventDefault();
      host.zoomBy(1 / viewports.wheelFactor(event.deltaY, event.deltaMode), pointOf(event));
    });
    listen("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || !host.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    return () => listening.abort();
  };
}
