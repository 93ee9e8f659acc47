/**
 * One WebGL2 context for the whole page: a browser allows about sixteen and takes the oldest away from a page that opens
 * more. Renderers draw into its canvas one after the other, and copy each picture to the canvas of its card.
 *
 * A lost context is not repaired: it is dropped, its renderers are told, and the next frame asks for a new one. Who gets
 * none draws in software. WebGPU would be a second kind of context here, beside a second renderer for the marks of
 * marks.ts; it needs a secure origin, which a server in the local network is not.
 */

export interface GpuContext {
  readonly canvas: OffscreenCanvas;
  readonly gl: WebGL2RenderingContext;
  /** Drawn by the processor: good for what cannot be drawn otherwise, slower than our own code for all else. */
  readonly isSoftware: boolean;
}

const ATTRIBUTES = { alpha: true, antialias: true, premultipliedAlpha: true } as const;
/** A driver that keeps crashing would be asked again with every frame. */
const MAX_LOSSES = 3;

let current: GpuContext | null = null;
let hasHardware = true;
let hasSoftware = true;
let losses = 0;
let lastUser: object | null = null;
const listeners = new Set<() => void>();

/** The page's context, made at the first request; null where there is none. */
export function sharedContext({ acceptsSoftware = false } = {}): GpuContext | null {
  current ??= hasHardware ? open(false) : null;
  hasHardware &&= current !== null;
  if (acceptsSoftware && !current && hasSoftware) {
    current = open(true);
    hasSoftware = current !== null;
  }
  return current && (acceptsSoftware || !current.isSoftware) ? current : null;
}

/** Calls `listener` when the context is lost: what was made with it is gone. Returns an unsubscribe function. */
export function onContextLost(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says who draws next. True if somebody else drew in between, and left the state of the context as they needed it. */
export function takeContext(user: object): boolean {
  const isOther = lastUser !== null && lastUser !== user;
  lastUser = user;
  return isOther;
}

function open(isSoftware: boolean): GpuContext | null {
  if (losses >= MAX_LOSSES || typeof OffscreenCanvas === "undefined") return null;
  const canvas = new OffscreenCanvas(1, 1);
  const gl = canvas.getContext("webgl2", { ...ATTRIBUTES, failIfMajorPerformanceCaveat: !isSoftware });
  if (!gl) return null;
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    if (current?.canvas !== canvas) return;
    current = lastUser = null;
    losses += 1;
    for (const listener of [...listeners]) listener();
  });
  return { canvas, gl, isSoftware };
}
