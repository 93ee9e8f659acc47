/**
 * Paints the points on a canvas. Without a GPU a large picture is painted from a sample of the rows while it moves, and
 * from all of them when it is still: in slices, so that no frame takes long.
 */

import { gpu, painting, themeColours } from "$public/charts";
import type { Positions } from "../camera";
import { GpuPoints } from "./gpu_points";
import { depthOrder, Raster, type DepthOrder } from "./raster";
import { RowSample } from "./row_sample";
import { depthReach, deviceSize, type PointScene } from "./scene";

/** Time for the points of one frame that moves. Labels and the browser's own work need about as much again. */
const FRAME_MS = 12;
const SLICE_ROWS = 20_000;
const SLICE_MS = 12;
/** A picture that did not change for so long is still. */
const STILL_MS = 90;
const MIN_SAMPLE_ROWS = 20_000;

export class Painter {
  readonly #pen: CanvasRenderingContext2D;
  #scene: PointScene | null = null;
  #sample: { readonly x: Float32Array; readonly rows: RowSample } | null = null;
  #moving: Raster | null = null;
  #still: Raster | null = null;
  /** How many rows a frame has time for: a guess for a slow processor, then by the frames before. */
  #maxRows = 40_000;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cancelPaint = (): void => undefined;

  /** `onpaint` is called after every picture; `isComplete` if it has all rows. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly onpaint: (isComplete: boolean) => void = () => undefined,
  ) {
    this.#pen = canvas.getContext("2d", { alpha: false })!;
  }

  show(scene: PointScene): void {
    this.#scene = scene;
    clearTimeout(this.#timer);
    this.#cancelPaint();
    this.#cancelPaint = painting.schedule(this.#paint);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#cancelPaint();
    this.#scene = null;
  }

  readonly #paint = (): void => {
    const scene = this.#scene;
    if (!scene) return;
    if (this.#paintOnGpu(scene)) return this.onpaint(true);
    const rows = this.#rowsOf(scene.positions);
    const sample = rows.take(this.#maxRows);
    const startedAt = performance.now();
    this.#moving = rasterFor(this.#moving, scene);
    this.#moving.clear(wordOf(scene.background));
    drawSample(this.#moving, scene, sample, rows.all.length);
    this.#put(this.#moving);
    const isComplete = sample.length === rows.all.length;
    if (sample.length > MIN_SAMPLE_ROWS) this.#adapt(sample.length, performance.now() - startedAt);
    if (!isComplete) this.#timer = setTimeout(() => this.#paintAll(scene, rows.all), STILL_MS);
    this.onpaint(isComplete);
  };

  #paintOnGpu(scene: PointScene): boolean {
    const points = pointsOfContext();
    if (!points) return false;
    const { width, height } = deviceSize(scene);
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.#pen.fillStyle = `#${scene.background.toString(16).padStart(6, "0")}`;
    this.#pen.fillRect(0, 0, width, height);
    return points.draw(this.#pen, scene);
  }

  /** Fewer rows at once if they took too long, and more if they were done early; in few steps, since a sample costs a sort. */
  #adapt(rows: number, tookMs: number): void {
    if (tookMs > FRAME_MS) this.#maxRows = Math.max(MIN_SAMPLE_ROWS, Math.round(((rows * FRAME_MS) / tookMs) * 0.8));
    else if (tookMs < FRAME_MS / 3 && rows === this.#maxRows) this.#maxRows *= 2;
  }

  #paintAll(scene: PointScene, all: Uint32Array): void {
    this.#still = rasterFor(this.#still, scene);
    const slices = slicesOf(this.#still, scene, all);
    const step = (): void => {
      if (this.#scene !== scene) return;
      const end = performance.now() + SLICE_MS;
      do {
        if (!slices.next().done) continue;
        this.#put(this.#still!);
        this.onpaint(true);
        return;
      } while (performance.now() < end);
      this.#timer = setTimeout(step);
    };
    step();
  }

  #rowsOf({ x }: Positions): RowSample {
    if (this.#sample?.x !== x) this.#sample = { x, rows: new RowSample(x) };
    return this.#sample.rows;
  }

  #put({ pixels, width, height }: Raster): void {
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.#pen.putImageData(new ImageData(pixels, width, height), 0, 0);
  }
}

/** All rows at once, for a file. */
export function paintRaster(scene: PointScene): Raster {
  const raster = rasterFor(null, scene);
  for (const _ of slicesOf(raster, scene, new RowSample(scene.positions.x).all)) void _;
  return raster;
}

let pointsOnGpu: GpuPoints | null = null;

/** Both pictures share one program; null without a GPU, where the processor is faster with our own code. */
function pointsOfContext(): GpuPoints | null {
  const context = gpu.context();
  if (!context) return null;
  if (!pointsOnGpu) {
    pointsOnGpu = new GpuPoints(context);
    const unsubscribe = gpu.onContextLost(() => {
      pointsOnGpu = null;
      unsubscribe();
    });
  }
  return pointsOnGpu;
}

function rasterFor(old: Raster | null, scene: PointScene): Raster {
  const { width, height } = deviceSize(scene);
  return old?.width === width && old.height === height ? old : new Raster(width, height, scene.dpr);
}

/** Null in two dimensions. */
function orderOf({ positions, plane, camera }: PointScene, rows: Uint32Array): DepthOrder | null {
  return positions.z && depthOrder(positions, plane, rows, depthReach(camera));
}

/** Fewer dots are larger, so that a picture has about the same density while it moves. */
function drawSample(raster: Raster, scene: PointScene, rows: Uint32Array, total: number): void {
  const order = orderOf(scene, rows);
  const growth = Math.min(2, Math.sqrt(total / Math.max(1, rows.length)));
  const shown = { ...scene, radiusFactor: scene.radiusFactor * growth };
  raster.draw(shown, order?.rows ?? rows, order?.depths ?? null);
}

/** Clears the raster and draws all rows, a slice at each step. */
function* slicesOf(raster: Raster, scene: PointScene, rows: Uint32Array): Generator<void> {
  raster.clear(wordOf(scene.background));
  yield;
  const order = orderOf(scene, rows);
  yield;
  for (let first = 0; first < rows.length; first += SLICE_ROWS) {
    raster.draw(scene, order?.rows ?? rows, order?.depths ?? null, first, Math.min(rows.length, first + SLICE_ROWS));
    yield;
  }
}

const wordOf = (rgb: number): number => themeColours.pixel(rgb);
