/**
 * One WebGL context for all cards: browsers allow about sixteen, a page may have hundreds of cards. Each card is drawn
 * in turn and its picture handed to a canvas of its own; what does not change is not drawn again.
 */

import { WebGLRenderer, type Camera, type Scene } from "three";

/** What is to be drawn next, and where to. */
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
  #waiting = new Set<Act>();
  #frame = 0;

  /** Whether this browser draws in three dimensions at all. */
  get works(): boolean {
    return this.#open() !== null;
  }

  /** Draws it with the next frame. */
  ask(act: Act): void {
    this.#waiting.add(act);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#drawAll());
  }

  forget(act: Act): void {
    this.#waiting.delete(act);
  }

  #open(): WebGLRenderer | null {
    if (this.#renderer) return this.#renderer;
    // Asked for by hand: three.js writes to the console where there is none.
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!context) return null;
    this.#renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(1);
    return this.#renderer;
  }

  #drawAll(): void {
    this.#frame = 0;
    const acts = [...this.#waiting];
    this.#waiting.clear();
    for (const act of acts) this.#draw(act);
  }

  #draw(act: Act): void {
    const renderer = this.#open();
    const own = renderer?.domElement as unknown as OffscreenCanvas;
    const target = act.canvas.getContext("bitmaprenderer");
    const { width, height } = act.canvas;
    if (!renderer || !target || width === 0 || height === 0) return;
    // Cards are of one size mostly; only where they are not, its memory is made anew.
    if (own.width !== width || own.height !== height) renderer.setSize(width, height, false);
    const began = performance.now();
    act.prepare(width, height);
    renderer.render(act.scene, act.camera);
    // Handed over, not copied: reading the picture back would stall the graphics card.
    target.transferFromImageBitmap(own.transferToImageBitmap());
    act.drawn(performance.now() - began);
  }
}

export const stage = new Stage();
