/** The pointer on the trace: a drag marks an area, with Shift it pans; in the minimap it moves the window. */

import type { Span } from "../../load";
import { lengthOf, panSpan, pinchSpan } from "../time/span";
import { laneAt, lanesBetween, rowAt, type Lane } from "../tracks/layout";
import type { TraceModel } from "../trace_model.svelte";
import { minimapGrip } from "./minimap";
import { HEADER_PX, MINIMAP_PX, STEPS_PX } from "./scene";

const CLICK_PX = 4;
/** A narrow slice is hit from this far. */
const REACH_PX = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  readonly from: Point;
  readonly type: "area" | "pan" | "window" | "start" | "end" | "none";
  readonly span: Span;
  readonly scrollTop: number;
  isMoved: boolean;
}

export class TraceGestures {
  #drag: Drag | null = null;
  readonly #fingers = new Map<number, Point>();
  #pinch: { readonly from: readonly [number, number]; readonly span: Span; readonly y: number; readonly scrollTop: number } | null = null; // prettier-ignore

  constructor(private readonly model: TraceModel) {}

  press(event: PointerEvent, at: Point): void {
    if (event.button !== 0) return;
    const { viewport } = this.model;
    if (event.pointerType === "touch") {
      this.#fingers.set(event.pointerId, at);
      if (this.#fingers.size === 2) return this.#startPinch();
    }
    const type = this.#typeAt(event, at);
    this.#drag = { from: at, type, span: viewport.span, scrollTop: viewport.scrollTop, isMoved: false }; // prettier-ignore
  }

  #typeAt(event: PointerEvent, { x, y }: Point): Drag["type"] {
    const { span } = this.model.viewport;
    if (y < MINIMAP_PX) {
      const grip = minimapGrip(x, this.#mapX(span.start), this.#mapX(span.end));
      if (grip === "outside") this.#centre(x);
      return grip === "outside" ? "window" : grip;
    }
    if (y < MINIMAP_PX + STEPS_PX) return "none";
    return event.shiftKey || event.pointerType === "touch" ? "pan" : "area";
  }

  move(event: PointerEvent, at: Point): void {
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, at);
    if (this.#pinch) return this.#movePinch();
    const drag = this.#drag;
    if (!drag) return;
    if (Math.hypot(at.x - drag.from.x, at.y - drag.from.y) >= CLICK_PX) drag.isMoved = true;
    if (!drag.isMoved) return;
    const { viewport, area } = this.model;
    if (drag.type === "area") area.dragged = this.#areaOf(drag.from, at);
    else if (drag.type === "pan") {
      viewport.show(panSpan(drag.span, (drag.from.x - at.x) * viewport.nsPerPx, viewport.limits));
      viewport.scrollTo(drag.scrollTop + drag.from.y - at.y);
    } else if (drag.type !== "none") this.#moveWindow(drag, at);
  }

  release(event: PointerEvent, at: Point): void {
    this.#fingers.delete(event.pointerId);
    if (this.#pinch) {
      if (this.#fingers.size === 0) this.#pinch = null;
      this.#drag = null;
      return;
    }
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    if (drag.isMoved) {
      if (drag.type === "area") this.model.area.mark(this.#areaOf(drag.from, at));
    } else this.#click(at);
    this.model.viewport.settle();
  }

  cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#pinch = null;
    this.#drag = null;
    this.model.area.dragged = null;
  }

  wheel(event: WheelEvent, at: Point): void {
    const { viewport } = this.model;
    if (event.ctrlKey) viewport.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.008), at.x);
    else {
      const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const pan = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (isPan) viewport.panPx(pan);
      else viewport.scrollBy(event.deltaY);
    }
  }

  /** The lane at a point of the canvas, and the y inside its region. */
  laneUnder({ y }: Point): { readonly lane: Lane; readonly y: number } | null {
    const { viewport, tracks } = this.model;
    const inHeader = y - HEADER_PX;
    if (inHeader < 0) return null;
    const isPinned = inHeader < viewport.pinnedPx;
    const inside = isPinned ? inHeader : inHeader - viewport.pinnedPx + viewport.scrollTop;
    const lane = laneAt(isPinned ? tracks.layout.pinned : tracks.layout.body, inside);
    return lane && { lane, y: inside };
  }

  /** The position in the window of the slice at a point; -1: none. */
  sliceUnder(at: Point): number {
    const { viewport, index } = this.model;
    const under = this.laneUnder(at);
    const row = under ? rowAt(under.lane, under.y) : -1;
    return row < 0 || !index ? -1 : index.sliceAt(row, viewport.timeAt(at.x), REACH_PX * viewport.nsPerPx);
  }

  #click(at: Point): void {
    const { model } = this;
    if (at.y < MINIMAP_PX) return;
    if (at.y < MINIMAP_PX + STEPS_PX) {
      const time = model.viewport.timeAt(at.x);
      model.fitStep(model.steps.findIndex(({ start_ns, duration_ns }) => time >= start_ns && time < start_ns + duration_ns)); // prettier-ignore
      return;
    }
    const found = this.sliceUnder(at);
    model.select(found < 0 ? null : model.index!.slices.slice[found]!);
  }

  #areaOf(from: Point, to: Point): { start: number; end: number; tracks: readonly number[] | null } {
    const { viewport } = this.model;
    const times = [from.x, to.x].map((x) => viewport.timeAt(Math.min(Math.max(x, 0), viewport.width)));
    const [start, end] = [Math.min(...times), Math.max(...times)];
    return { start, end: Math.max(end, start + 1), tracks: this.#tracksBetween(from.y, to.y) };
  }

  /** Null, which is all, if the drag began on the ruler. */
  #tracksBetween(from: number, to: number): number[] | null {
    if (from < HEADER_PX) return null;
    const { viewport, tracks } = this.model;
    const [top, bottom] = [Math.max(Math.min(from, to), HEADER_PX), Math.max(from, to)];
    const bodyTop = HEADER_PX + viewport.pinnedPx;
    const pinned = lanesBetween(tracks.layout.pinned, top - HEADER_PX, Math.min(bottom, bodyTop) - HEADER_PX + 0.5);
    const body = lanesBetween(tracks.layout.body, Math.max(top, bodyTop) - bodyTop + viewport.scrollTop, bottom - bodyTop + viewport.scrollTop + 0.5); // prettier-ignore
    const lanes = [
      ...(top < bodyTop ? tracks.layout.pinned.lanes.slice(...pinned) : []),
      ...(bottom >= bodyTop ? tracks.layout.body.lanes.slice(...body) : []),
    ];
    const ids = lanes.flatMap(
      (lane) =>
      lane.track ? [lane.track.id] : lane.isCollapsed ? (lane.type === "group" ? lane.group!.tracks : lane.tracks).map(({ id }) => id) : [], // prettier-ignore
    );
    return ids.length > 0 ? ids : null;
  }

  #mapX(time: number): number {
    const { capture, width } = this.model.viewport;
    return ((time - capture.start) / lengthOf(capture)) * width;
  }

  #mapTime(x: number): number {
    const { capture, width } = this.model.viewport;
    return capture.start + (x / Math.max(width, 1)) * lengthOf(capture);
  }

  #centre(x: number): void {
    const { viewport } = this.model;
    const half = lengthOf(viewport.span) / 2;
    const middle = this.#mapTime(x);
    viewport.show({ start: middle - half, end: middle + half });
  }

  #moveWindow({ type, span, from }: Drag, at: Point): void {
    const { viewport } = this.model;
    const time = this.#mapTime(at.x);
    if (type === "window") {
      const moved = time - this.#mapTime(from.x);
      viewport.show({ start: span.start + moved, end: span.end + moved });
    } else if (type === "start") viewport.show({ start: Math.min(time, span.end - 1), end: span.end });
    else viewport.show({ start: span.start, end: Math.max(time, span.start + 1) });
  }

  #startPinch(): void {
    const [a, b] = [...this.#fingers.values()] as [Point, Point];
    const { viewport } = this.model;
    this.#drag = null;
    this.model.area.dragged = null;
    this.#pinch = { from: [a.x, b.x], span: viewport.span, y: (a.y + b.y) / 2, scrollTop: viewport.scrollTop };
  }

  #movePinch(): void {
    if (!this.#pinch || this.#fingers.size < 2) return;
    const [a, b] = [...this.#fingers.values()] as [Point, Point];
    const { viewport } = this.model;
    const { from, span, y, scrollTop } = this.#pinch;
    viewport.show(pinchSpan(span, viewport.width, from, [a.x, b.x], viewport.limits));
    viewport.scrollTo(scrollTop + y - (a.y + b.y) / 2);
  }
}
