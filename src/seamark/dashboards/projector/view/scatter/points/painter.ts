/**
 * Paints the points on a canvas. Without a GPU a large picture is painted from a sample of the rows while it moves, and
 * from all of them when it is still: in slices, so that no frame takes long.
 */

import { painting, themeColours, type Size } from "$public/charts";
import type { Camera, Plane, Positions } from "../camera";
import type { PointStyles } from "../colours";
import { depthOrder, Raster, type DotScene } from "./raster";
import { RowSample } from "./row_sample";

export interface PointScene {
  readonly positions: Positions;
  readonly styles: PointStyles;
  readonly camera: Camera;
  readonly plane: Plane;
  readonly size: Size;
  readonly dpr: number;
  /** 0xRRGGBB. */
  readonly background: number;
  readonly radiusFactor: number;
}

/** Time for the points of one frame that moves. */
const FRAME_MS = 22;
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
  /** How many rows a frame has time for, by the frames before. */
  #maxRows = 100_000;
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
    const rows = this.#rowsOf(scene.positions);
    const sample = rows.take(this.#maxRows);
    const startedAt = performance.now();
    this.#moving = rasterFor(this.#moving, scene);
    this.#moving.clear(wordOf(scene.background));
    drawSlice(this.#moving, scene, sample);
    this.#put(this.#moving);
    const isComplete = sample.length === rows.all.length;
    if (sample.length > MIN_SAMPLE_ROWS) this.#adapt(sample.length, performance.now() - startedAt);
    if (!isComplete) this.#timer = setTimeout(() => this.#paintAll(scene, rows.all), STILL_MS);
    this.onpaint(isComplete);
  };

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

function rasterFor(old: Raster | null, { size, dpr }: PointScene): Raster {
  const [width, height] = [Math.max(1, Math.round(size.width * dpr)), Math.max(1, Math.round(size.height * dpr))];
  return old?.width === width && old.height === height ? old : new Raster(width, height, dpr);
}

/** Half of the depth of what is shown; points farther than that are at the ends. */
const depthReach = ({ camera }: PointScene): number => camera.extent / 2;

const isDeep = ({ positions }: PointScene): boolean => positions.z !== null;

function drawSlice(raster: Raster, scene: PointScene, rows: Uint32Array): void {
  const order = isDeep(scene) ? depthOrder(scene.positions, scene.plane, rows, depthReach(scene)) : null;
  raster.draw(scene satisfies DotScene, order?.rows ?? rows, order?.depths ?? null);
}

/** Clears the raster and draws all rows, a slice at each step. */
function* slicesOf(raster: Raster, scene: PointScene, rows: Uint32Array): Generator<void> {
  raster.clear(wordOf(scene.background));
  yield;
  const order = isDeep(scene) ? depthOrder(scene.positions, scene.plane, rows, depthReach(scene)) : null;
  yield;
  for (let first = 0; first < rows.length; first += SLICE_ROWS) {
    raster.draw(scene, order?.rows ?? rows, order?.depths ?? null, first, Math.min(rows.length, first + SLICE_ROWS));
    yield;
  }
}

const wordOf = (rgb: number): number => themeColours.pixel(rgb);
