/** Which part of the graph is on screen. The canvas, the map and the zoom buttons share one. */

import { untrack } from "svelte";
import { viewports, type PlaneLimits, type Size, type Viewport } from "$public/charts";
import { anchor } from "../layout/anchor";
import type { Visible } from "./draw";
import type { Scene } from "./scene";

const PADDING_PX = 24;
const MAX_ZOOM = 4;
/** The first view is not smaller than this: names can be read. */
const MIN_FIRST_ZOOM = 0.8;
const KEY_ZOOM = 1.25;
const VISIBLE_PX = 60;
const CORNER_PX = { width: 88, height: 26 };

type BoxRect = readonly [x: number, y: number, width: number, height: number];

const isSame = (a: Viewport, b: Viewport): boolean =>
  (["x", "y"] as const).every(
    (axis) =>
      a[axis].unitsPerPx === b[axis].unitsPerPx && viewports.toPixel(a[axis], 0) === viewports.toPixel(b[axis], 0),
  );

export class GraphViewport {
  size = $state.raw<Size>({ width: 0, height: 0 });
  view = $state.raw<Viewport | null>(null);
  #scene = $state.raw<Scene | null>(null);
  #revealNext: string | null = null;
  /** The fitted view of a room that has changed since; `refit` replaces it. */
  #outdated: Viewport | null = null;

  /** Pixels for each unit of the layout; 1 is "100%". */
  readonly zoom = $derived(this.view ? 1 / this.view.x.unitsPerPx : 1);

  /** Shows another graph from its top; for the same one, what a person looks at keeps its pixel. */
  show(scene: Scene): void {
    const before = this.#scene;
    this.#scene = scene;
    if (!this.view || before?.key !== scene.key) this.view = this.#firstView();
    else if (before.layout !== scene.layout) {
      const placed = ({ graph, layout }: Scene): { ids: readonly string[]; rects: Float64Array } => ({
        ids: graph.boxes.id,
        rects: layout.rects,
      });
      this.view = anchor(this.view, placed(before), placed(scene), scene.anchor, this.visible);
    }
    if (this.#revealNext !== null && scene.graph.boxes.id.includes(this.#revealNext)) this.reveal(this.#revealNext);
  }

  /** A selected box that was in view stays in view: selecting it opened the details, which take some of the width. */
  resize(size: Size): void {
    const rect = this.#rectOf(this.#scene?.selected ?? null);
    const wasSeen = rect !== null && this.view !== null && this.#isSeen(rect);
    const isFitted = this.#isFitted();
    this.size = size;
    if (wasSeen && !this.#isSeen(rect)) this.#comeIntoView(rect);
    this.#outdated = isFitted ? this.view : null;
  }

  /** A graph that was fitted before its room changed is fitted again, if nobody has moved it since. */
  refit(): void {
    if (this.#outdated !== null && this.#outdated === this.view) this.fit();
    this.#outdated = null;
  }

  #isFitted(): boolean {
    if (!this.view || !this.#scene || this.size.width === 0) return false;
    return this.#outdated === this.view || isSame(this.#fitted(), this.view);
  }

  #comeIntoView(rect: BoxRect): void {
    const { right, bottom, left, top, zoom } = this.visible;
    const [x, y, width, height] = rect;
    const margin = PADDING_PX / zoom;
    const dx = Math.max(0, x + Math.min(width, right - left - 2 * margin) + margin - right);
    const dy = Math.max(0, y + Math.min(height, bottom - top - 2 * margin) + margin - bottom);
    this.view = viewports.pan(this.view!, -dx * zoom, -dy * zoom, this.limits);
  }

  get limits(): PlaneLimits {
    const { width = 1, height = 1 } = this.#scene?.layout ?? {};
    return {
      size: this.size,
      bounds: { left: 0, top: 0, right: width, bottom: height },
      minVisiblePx: VISIBLE_PX,
      minUnitsPerPx: 1 / MAX_ZOOM,
      maxUnitsPerPx: Math.max(2, 2 * this.#fitted().x.unitsPerPx),
    };
  }

  get visible(): Visible {
    const { x, y } = this.view ?? this.#fitted();
    const [left, top] = [-viewports.toPixel(x, 0) * x.unitsPerPx, -viewports.toPixel(y, 0) * y.unitsPerPx];
    const { width, height } = this.size;
    const zoom = 1 / x.unitsPerPx;
    return { left, top, right: left + width * x.unitsPerPx, bottom: top + height * y.unitsPerPx, zoom };
  }

  fit(): void {
    this.view = this.#fitted();
  }

  /** Around the middle. */
  zoomBy(factor: number = KEY_ZOOM): void {
    const { width, height } = this.size;
    if (this.view) this.view = viewports.zoomAt(this.view, factor, { x: width / 2, y: height / 2 }, this.limits);
  }

  /** The point of the plane comes to the middle. */
  centre(x: number, y: number): void {
    const { left, top, right, bottom, zoom } = this.visible;
    const [dx, dy] = [(left + right) / 2 - x, (top + bottom) / 2 - y];
    if (this.view) this.view = viewports.pan(this.view, dx * zoom, dy * zoom, this.limits);
  }

  /** Moves only if the corner of the box with its name is out of view. A box that is not laid out yet is shown when it is. */
  reveal(id: string): void {
    // A command: an effect that calls it must not run again because a person moved the graph.
    untrack(() => {
      const rect = this.#rectOf(id);
      this.#revealNext = rect === null ? id : null;
      if (rect === null || this.#isSeen(rect)) return;
      const { left, top, right, bottom } = this.visible;
      const [x, y, width, height] = rect;
      // A group that is larger than the screen is seen at its top.
      this.centre(x + Math.min(width, right - left) / 2, y + Math.min(height, bottom - top) / 2);
    });
  }

  #rectOf(id: string | null): BoxRect | null {
    const box = id === null ? -1 : (this.#scene?.graph.boxes.id.indexOf(id) ?? -1);
    return box < 0 ? null : (this.#scene!.layout.rects.subarray(4 * box, 4 * box + 4) as unknown as BoxRect);
  }

  /** The corner with the name is on screen. */
  #isSeen([x, y, width, height]: BoxRect): boolean {
    const { left, top, right, bottom } = this.visible;
    const [wide, high] = [Math.min(width, CORNER_PX.width), Math.min(height, CORNER_PX.height)];
    return x >= left && y >= top && x + wide <= right && y + high <= bottom;
  }

  #fitted(): Viewport {
    const { width = 1, height = 1 } = this.#scene?.layout ?? {};
    const bounds = { left: 0, top: 0, right: width, bottom: height };
    const fitted = viewports.fit(bounds, this.size, PADDING_PX);
    return fitted.x.unitsPerPx < 1 ? viewports.centred(bounds, this.size, 1) : fitted;
  }

  /** All of it if names can be read then, else its top. */
  #firstView(): Viewport {
    const fitted = this.#fitted();
    if (fitted.x.unitsPerPx <= 1 / MIN_FIRST_ZOOM) return fitted;
    const { width } = this.#scene!.layout;
    const [wide, high] = [this.size.width / MIN_FIRST_ZOOM, this.size.height / MIN_FIRST_ZOOM];
    // As much of the graph as fits: no empty half beside a box at its edge.
    const margin = wide / 2 - PADDING_PX / MIN_FIRST_ZOOM;
    const isNarrow = width <= 2 * margin;
    const middle = isNarrow ? width / 2 : Math.min(Math.max(this.#topMiddle(), margin), width - margin);
    const top = -PADDING_PX / MIN_FIRST_ZOOM;
    const bounds = { left: middle - 1, right: middle + 1, top, bottom: top + high };
    return viewports.centred(bounds, this.size, 1 / MIN_FIRST_ZOOM);
  }

  #topMiddle(): number {
    const { layout, graph } = this.#scene!;
    const tops = graph.boxes.is_aside.map((isAside, box) => (isAside ? Infinity : layout.rects[4 * box + 1]!));
    const first = tops.reduce((best, top, box) => (top < tops[best]! ? box : best), 0);
    return layout.rects[4 * first]! + layout.rects[4 * first + 2]! / 2;
  }
}
