/** Draws dots and rings into pixels without a GPU: masks are computed once for each radius and fraction of a pixel. */

import type { Plane, Positions } from "../camera";
import { ALPHAS, EMPHASISED, RADIUS_STEPS, type PointStyles } from "../colours";

/** Positions within a pixel that have a mask of their own, along each axis. */
const FRACTIONS = 4;
export const RING_PX = 1.2;
const MAX_RADIUS_STEPS = 160;
/** Radii of selected rows, over those of others. */
export const GROWTH = 1.35;

/** The pixels that a dot covers, as lists: a loop over a square would mostly see empty ones. */
interface Mask {
  /** From the pixel of the centre to the farthest one, along either axis. */
  readonly reach: number;
  /** Columns and rows from the centre. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  /** The same as a distance in the words of the raster. */
  readonly offsets: Int32Array;
  /** 1 to 256. */
  readonly coverage: Uint16Array;
}

interface DotShape {
  readonly radius: number;
  readonly isRing: boolean;
  readonly ringPx: number;
  /** The centre within its pixel. */
  readonly fx: number;
  readonly fy: number;
}

function maskOf({ radius, isRing, ringPx, fx, fy }: DotShape, width: number): Mask {
  const reach = Math.ceil(radius + 0.5);
  const cells: [dx: number, dy: number, coverage: number][] = [];
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1) {
      const away = Math.hypot(dx + 0.5 - fx, dy + 0.5 - fy);
      const outer = Math.min(1, Math.max(0, radius + 0.5 - away));
      const inner = isRing ? Math.min(1, Math.max(0, radius - ringPx + 0.5 - away)) : 0;
      const coverage = Math.round((outer - inner) * 256);
      if (coverage > 0) cells.push([dx, dy, coverage]);
    }
  return {
    reach,
    dx: Int16Array.from(cells, ([dx]) => dx),
    dy: Int16Array.from(cells, ([, dy]) => dy),
    offsets: Int32Array.from(cells, ([dx, dy]) => dy * width + dx),
    coverage: Uint16Array.from(cells, ([, , coverage]) => coverage),
  };
}

/** Masks by shape, radius and fractions of the position, made at first use. */
class Masks {
  readonly #made: (Mask | undefined)[] = [];

  constructor(
    private readonly dpr: number,
    private readonly width: number,
  ) {}

  /** `radius` in steps of a quarter of a device pixel. */
  find(radius: number, ring: number, fx: number, fy: number): Mask {
    const key = ((radius * 2 + ring) * FRACTIONS + fy) * FRACTIONS + fx;
    return (this.#made[key] ??= maskOf(
      {
        radius: radius / RADIUS_STEPS,
        isRing: ring === 1,
        ringPx: RING_PX * this.dpr,
        fx: (fx + 0.5) / FRACTIONS,
        fy: (fy + 0.5) / FRACTIONS,
      },
      this.width,
    ));
  }
}

export const DEPTHS = 64;
/** How much of its alpha the farthest point keeps. */
export const FAR_ALPHA = 0.35;
/** Radii of the farthest and of the nearest point, over those in two dimensions. */
export const [FAR_SIZE, NEAR_SIZE] = [0.7, 1.4];

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

/** The radius of a point over that in two dimensions, by its step of depth. */
export const DEPTH_SIZES: Float32Array = Float32Array.from(
  { length: DEPTHS },
  (_, depth) => FAR_SIZE + (NEAR_SIZE - FAR_SIZE) * (depth / (DEPTHS - 1)),
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
    this.#masks = new Masks(dpr, width);
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
      const size = depths === null ? 1 : DEPTH_SIZES[depths[at]!]!;
      const factor = (emphasis === EMPHASISED ? grown : radiusFactor * dpr) * size;
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
    const { reach, offsets, coverage } = mask;
    if (column < reach || row < reach || column + reach >= width || row + reach >= height)
      return this.#stampAtEdge(mask, column, row, colour, alpha);
    const centre = row * width + column;
    for (let cell = 0; cell < offsets.length; cell += 1) {
      const word = centre + offsets[cell]!;
      words[word] = blend(words[word]!, colour, (coverage[cell]! * alpha) >> 8);
    }
  }

  /** Few dots are cut off: their pixels are drawn one by one. */
  #stampAtEdge({ dx, dy, coverage }: Mask, column: number, row: number, colour: number, alpha: number): void {
    const { width, height, words } = this;
    for (let cell = 0; cell < dx.length; cell += 1) {
      const [x, y] = [column + dx[cell]!, row + dy[cell]!];
      if (x >= 0 && y >= 0 && x < width && y < height)
        words[y * width + x] = blend(words[y * width + x]!, colour, (coverage[cell]! * alpha) >> 8);
    }
  }
}

/** `share` of 256 of a colour over what is behind it. */
function blend(behind: number, colour: number, share: number): number {
  const rest = 256 - share;
  // Two channels in one product; it may pass 2^31, which the unsigned shift undoes.
  const redBlue = (Math.imul(behind & 0xff00ff, rest) + Math.imul(colour & 0xff00ff, share)) >>> 8;
  const green = (Math.imul(behind & 0x00ff00, rest) + Math.imul(colour & 0x00ff00, share)) >>> 8;
  return 0xff000000 | (redBlue & 0xff00ff) | (green & 0x00ff00);
}

/** 0xRRGGBB as 0xBBGGRR, the order of ImageData. */
function wordsOf(colours: Uint32Array): Uint32Array {
  return colours.map((rgb) => ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16));
}
