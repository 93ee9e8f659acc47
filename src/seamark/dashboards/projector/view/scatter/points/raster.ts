/** Draws dots and rings into pixels without a GPU: masks are computed once for each radius and fraction of a pixel. */

import type { Plane, Positions } from "../camera";
import { ALPHAS, EMPHASISED, RADIUS_STEPS, type PointStyles } from "../colours";

/** Positions within a pixel that have a mask of their own, along each axis. */
const FRACTIONS = 4;
export const RING_PX = 1.2;
const MAX_RADIUS_STEPS = 160;
/** Radii of selected rows, over those of others. */
export const GROWTH = 1.35;

interface Mask {
  readonly side: number;
  /** From the pixel of the centre to the left and top edge. */
  readonly reach: number;
  /** 0 to 256. */
  readonly coverage: Uint16Array;
}

function maskOf(radius: number, isRing: boolean, ringPx: number, fx: number, fy: number): Mask {
  const reach = Math.ceil(radius + 0.5);
  const side = 2 * reach + 1;
  const coverage = new Uint16Array(side * side);
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const away = Math.hypot(column - reach + 0.5 - fx, row - reach + 0.5 - fy);
      const outer = Math.min(1, Math.max(0, radius + 0.5 - away));
      const inner = isRing ? Math.min(1, Math.max(0, radius - ringPx + 0.5 - away)) : 0;
      coverage[row * side + column] = Math.round((outer - inner) * 256);
    }
  return { side, reach, coverage };
}

/** Masks by shape, radius and fractions of the position, made at first use. */
class Masks {
  readonly #made: (Mask | undefined)[] = [];

  constructor(private readonly dpr: number) {}

  /** `radius` in steps of a quarter of a device pixel. */
  find(radius: number, ring: number, fx: number, fy: number): Mask {
    const key = ((radius * 2 + ring) * FRACTIONS + fy) * FRACTIONS + fx;
    return (this.#made[key] ??= maskOf(
      radius / RADIUS_STEPS,
      ring === 1,
      RING_PX * this.dpr,
      (fx + 0.5) / FRACTIONS,
      (fy + 0.5) / FRACTIONS,
    ));
  }
}

const DEPTHS = 64;
/** How much of its alpha the farthest point keeps. */
export const FAR_ALPHA = 0.35;

/** Rows from far to near, in steps of depth, and the alpha of each step. */
export interface DepthOrder {
  readonly rows: Uint32Array;
  readonly depths: Uint8Array;
}

/** The share of its alpha that a point keeps, by its step of depth. */
export const DEPTH_ALPHAS: Float32Array = Float32Array.from(
  { length: DEPTHS },
  (_, depth) => FAR_ALPHA + (1 - FAR_ALPHA) * (depth / (DEPTHS - 1)),
);

/** The half of the depth of the shown points, in units: steps of depth lie between -reach and +reach. */
export function depthOrder(positions: Positions, { w }: Plane, rows: Uint32Array, reach: number): DepthOrder {
  const { x, y, z } = positions;
  const depths = new Uint8Array(rows.length);
  const counts = new Uint32Array(DEPTHS + 1);
  const scale = DEPTHS / (2 * reach || 1);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const near = w[0] * x[row]! + w[1] * y[row]! + w[2] * (z ? z[row]! : 0) + w[3];
    const depth = Math.min(DEPTHS - 1, Math.max(0, (near + reach) * scale)) | 0;
    depths[at] = depth;
    counts[depth + 1]! += 1;
  }
  for (let depth = 0; depth < DEPTHS; depth += 1) counts[depth + 1]! += counts[depth]!;
  const ordered = new Uint32Array(rows.length);
  const orderedDepths = new Uint8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const to = counts[depths[at]!]!++;
    ordered[to] = rows[at]!;
    orderedDepths[to] = depths[at]!;
  }
  return { rows: ordered, depths: orderedDepths };
}

export interface DotScene {
  readonly positions: Positions;
  readonly plane: Plane;
  readonly styles: PointStyles;
  /** Over the radii of the styles. */
  readonly radiusFactor: number;
}

export class Raster {
  readonly words: Uint32Array;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  readonly #masks: Masks;

  /** In device pixels. */
  constructor(
    readonly width: number,
    readonly height: number,
    private readonly dpr: number,
  ) {
    const buffer = new ArrayBuffer(width * height * 4);
    this.words = new Uint32Array(buffer);
    this.pixels = new Uint8ClampedArray(buffer);
    this.#masks = new Masks(dpr);
  }

  /** `colour` as a word of ImageData, opaque. */
  clear(colour: number): void {
    this.words.fill(colour);
  }

  /** Draws the rows from `first` up to `end`, with their depths if there are any. */
  draw(scene: DotScene, rows: Uint32Array, depths: Uint8Array | null, first = 0, end = rows.length): void {
    const { positions, plane, styles, radiusFactor } = scene;
    const { x, y, z } = positions;
    const { dpr, width, height } = this;
    const [ux, uy, uz, u0] = plane.u.map((value) => value * dpr) as [number, number, number, number];
    const [vx, vy, vz, v0] = plane.v.map((value) => value * dpr) as [number, number, number, number];
    const margin = 20 * dpr;
    const words = wordsOf(styles.palette.colours);
    const { rings } = styles.palette;
    const grown = radiusFactor * dpr * GROWTH;
    for (let at = first; at < end; at += 1) {
      const row = rows[at]!;
      const emphasis = styles.emphasis[row]!;
      if (emphasis === 0) continue;
      const pz = z === null ? 0 : z[row]!;
      const px = ux * x[row]! + uy * y[row]! + uz * pz + u0;
      const py = vx * x[row]! + vy * y[row]! + vz * pz + v0;
      // Also false for NaN.
      if (!(px > -margin && py > -margin && px < width + margin && py < height + margin)) continue;
      const style = styles.styles[row]!;
      const factor = emphasis === EMPHASISED ? grown : radiusFactor * dpr;
      const radius = Math.min(MAX_RADIUS_STEPS, styles.radii[row]! * factor + 0.5) | 0;
      const alpha = ALPHAS[emphasis]! * (depths === null ? 1 : DEPTH_ALPHAS[depths[at]!]!);
      this.#stamp(px, py, radius, rings[style]!, words[style]!, (alpha * 256) | 0);
    }
  }

  #stamp(px: number, py: number, radius: number, ring: number, colour: number, alpha: number): void {
    const { width, height, words } = this;
    const column = Math.floor(px);
    const row = Math.floor(py);
    const mask = this.#masks.find(radius, ring, ((px - column) * FRACTIONS) | 0, ((py - row) * FRACTIONS) | 0);
    const { side, reach, coverage } = mask;
    const left = column - reach;
    const top = row - reach;
    const [fromX, toX] = [left < 0 ? -left : 0, left + side > width ? width - left : side];
    const [fromY, toY] = [top < 0 ? -top : 0, top + side > height ? height - top : side];
    const redBlue = colour & 0xff00ff;
    const green = colour & 0x00ff00;
    for (let my = fromY; my < toY; my += 1) {
      let word = (top + my) * width + left + fromX;
      let cell = my * side + fromX;
      for (let mx = fromX; mx < toX; mx += 1, word += 1, cell += 1) {
        const cover = coverage[cell]!;
        if (cover === 0) continue;
        const share = (cover * alpha) >> 8;
        const rest = 256 - share;
        const behind = words[word]!;
        // Two channels in one product; it may pass 2^31, which the unsigned shift undoes.
        const mixed = (Math.imul(behind & 0xff00ff, rest) + Math.imul(redBlue, share)) >>> 8;
        const mixedGreen = (Math.imul(behind & 0x00ff00, rest) + Math.imul(green, share)) >>> 8;
        words[word] = 0xff000000 | (mixed & 0xff00ff) | (mixedGreen & 0x00ff00);
      }
    }
  }
}

/** 0xRRGGBB as 0xBBGGRR, the order of ImageData. */
function wordsOf(colours: Uint32Array): Uint32Array {
  return colours.map((rgb) => ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16));
}
