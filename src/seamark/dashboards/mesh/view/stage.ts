/**
 * Draws three-dimensional scenes with the page's one WebGL context: browsers allow about sixteen, a page may have hundreds
 * of cards. Each card is drawn in turn and its picture handed to a canvas of its own; what does not change is not drawn again.
 */

import { gpu, painting } from "$public/charts";
import { WebGLRenderer, type Camera, type Scene } from "three";

/** What is drawn, and where to. */
export interface Act {
  readonly canvas: HTMLCanvasElement;
  readonly scene: Scene;
  readonly camera: Camera;
  /** Before drawing: puts camera and scene into the state to draw. */
  prepare(width: number, height: number): void;
  /** After it, with the milliseconds it took. */
  drawn(tookMs: number): void;
}

class Stage {
  #renderer: WebGLRenderer | null = null;
  readonly #paints = new Map<Act, () => void>();

  constructor() {
    gpu.onContextLost(() => {
      this.#renderer = null;
      // Scenes upload their geometry anew with the next renderer.
      for (const paint of this.#paints.values()) painting.schedule(paint);
    });
  }

  /** Whether this browser draws in three dimensions at all. */
  get works(): boolean {
    return gpu.context({ acceptsSoftware: true }) !== null;
  }

  /** Draws it with one of the next frames, again after each call. */
  draw(act: Act): void {
    let paint = this.#paints.get(act);
    if (!paint) this.#paints.set(act, (paint = () => this.#draw(act)));
    painting.schedule(paint);
  }

  remove(act: Act): void {
    this.#paints.delete(act);
  }

  #open(): WebGLRenderer | null {
    const shared = gpu.context({ acceptsSoftware: true });
    if (!shared) return null;
    if (!this.#renderer) {
      this.#renderer = new WebGLRenderer({ canvas: shared.canvas, context: shared.gl, antialias: true, alpha: true });
      this.#renderer.setPixelRatio(1);
    }
    return this.#renderer;
  }

  #draw(act: Act): void {
    // It may have been removed since the frame was requested.
    const renderer = this.#paints.has(act) ? this.#open() : null;
    const target = act.canvas.getContext("bitmaprenderer");
    const { width, height } = act.canvas;
    if (!renderer || !target || width === 0 || height === 0) return;
    const own = renderer.domElement as unknown as OffscreenCanvas;
    const isForeign = gpu.takeContext(this);
    if (isForeign) renderer.resetState();
    // Cards are of one size mostly; only where they are not, its memory is made anew.
    if (isForeign || own.width !== width || own.height !== height) renderer.setSize(width, height, false);
    const began = performance.now();
    act.prepare(width, height);
    renderer.render(act.scene, act.camera);
    // Handed over, not copied: reading the picture back would stall the graphics card.
    target.transferFromImageBitmap(own.transferToImageBitmap());
    act.drawn(performance.now() - began);
  }
}

export const stage = new Stage();
