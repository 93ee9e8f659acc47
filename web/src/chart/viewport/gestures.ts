/**
 * Pan and zoom by pointer, fingers, wheel and keys, for any element that shows a viewport: `{@attach panZoom(host)}`.
 * The host owns the viewport; a gesture reads it and proposes the next one.
 */

import { wheelFactor } from "../gesture";
import { pan, pinch, zoomAt, type Limits, type Point, type Viewport, type ZoomAxes } from "./viewport";

export interface PanZoomHost {
  /** What is shown, and how far a person may go; null while there is nothing to move. */
  view(): { readonly view: Viewport; readonly limits: Limits } | null;
  onview(view: Viewport): void;
  /** "0", and whatever else means all of it. */
  onfit?(): void;
  /** Which axes the wheel and fingers zoom; time alone in a trace. */
  readonly axes?: ZoomAxes;
  /** "always", or only with Ctrl, which leaves the wheel to the page. Pinching a touch pad counts as Ctrl. */
  readonly wheel?: "always" | "ctrl";
}

const KEY_PAN_PX = 60;
const KEY_ZOOM = 1.5;
/** Which way the picture goes: an arrow shows what lies in its direction. */
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** What pointers do, without a page: the pixels of each pointer are those of the element. */
export class PanZoom {
  readonly #pointers = new Map<number, Point>();

  constructor(private readonly host: PanZoomHost) {}

  press(pointer: number, at: Point): void {
    // A third finger changes nothing.
    if (this.#pointers.size < 2) this.#pointers.set(pointer, at);
  }

  move(pointer: number, at: Point): void {
    const before = this.#pointers.get(pointer);
    const shown = this.host.view();
    if (!before || !shown) return;
    const { view, limits } = shown;
    this.#pointers.set(pointer, at);
    const other = [...this.#pointers].find(([id]) => id !== pointer)?.[1];
    this.host.onview(
      other
        ? pinch(view, [before, other], [at, other], limits, this.host.axes)
        : pan(view, at.x - before.x, at.y - before.y, limits),
    );
  }

  release(pointer: number): void {
    this.#pointers.delete(pointer);
  }

  /** True if the event is used up. */
  wheel(at: Point, { deltaY, deltaMode, ctrlKey }: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">): boolean {
    if (this.host.wheel === "ctrl" && !ctrlKey) return false;
    return this.#zoom(1 / wheelFactor(deltaY, deltaMode), at);
  }

  /** Arrows pan, + and − zoom around the middle, 0 shows all. True if the key is used up. */
  key(key: string): boolean {
    const shown = this.host.view();
    if (!shown) return false;
    const { view, limits } = shown;
    const arrow = ARROWS[key];
    if (arrow) this.host.onview(pan(view, arrow[0] * KEY_PAN_PX, arrow[1] * KEY_PAN_PX, limits));
    else if (key === "0" && this.host.onfit) this.host.onfit();
    else if (key === "+" || key === "=" || key === "-") {
      const middle = { x: limits.size.width / 2, y: limits.size.height / 2 };
      return this.#zoom(key === "-" ? 1 / KEY_ZOOM : KEY_ZOOM, middle);
    } else return false;
    return true;
  }

  #zoom(factor: number, at: Point): boolean {
    const shown = this.host.view();
    if (!shown) return false;
    this.host.onview(zoomAt(shown.view, factor, at, shown.limits, this.host.axes));
    return true;
  }
}

/** Elements inside that take the pointer for themselves. */
const CONTROLS = "a, button, input, select, [role=slider]";

/** For `{@attach …}`. Keys work while the element has the focus. */
export function panZoom(host: PanZoomHost): (node: HTMLElement) => () => void {
  return (node) => {
    const gesture = new PanZoom(host);
    const listening = new AbortController();
    const pointOf = (event: MouseEvent): Point => {
      const box = node.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const use = (event: Event, isUsed: boolean): void => {
      if (isUsed) event.preventDefault();
    };
    const listen = <T extends keyof HTMLElementEventMap>(
      type: T,
      handle: (event: HTMLElementEventMap[T]) => void,
      passive = true,
    ): void => node.addEventListener(type, handle, { passive, signal: listening.signal });
    listen("pointerdown", (event) => {
      if (event.button !== 0 || (event.target as Element).closest(CONTROLS)) return;
      node.setPointerCapture(event.pointerId);
      gesture.press(event.pointerId, pointOf(event));
    });
    listen("pointermove", (event) => gesture.move(event.pointerId, pointOf(event)));
    listen("pointerup", (event) => gesture.release(event.pointerId));
    listen("pointercancel", (event) => gesture.release(event.pointerId));
    // Not passive: the page must not scroll, nor the browser zoom, along with the plane.
    listen("wheel", (event) => use(event, gesture.wheel(pointOf(event), event)), false);
    listen("keydown", (event) => use(event, event.target === node && gesture.key(event.key)), false);
    return () => listening.abort();
  };
}
