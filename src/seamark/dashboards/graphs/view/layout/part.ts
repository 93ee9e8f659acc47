/** Positions and routes of one connected part of a group, from its structure and the sizes of its boxes. */

import { assignCoordinates } from "./coordinates";
import { assignLanes, type Lane } from "./lanes";
import { RouteBuilder, type Routes } from "./routes";
import { straightenBends } from "./straighten";
import type { Structure } from "./structure";

export interface Sizes {
  readonly width: Float64Array;
  readonly height: Float64Array;
  /** Where edges enter at the top and leave at the bottom, from the centre; NaN: where it suits the edge. */
  readonly entry: Float64Array;
  readonly exit: Float64Array;
}

export interface Part {
  readonly width: number;
  readonly height: number;
  readonly left: Float64Array;
  readonly top: Float64Array;
  /** Where edges from outside enter at the top, and leave at the bottom. */
  readonly entryX: number;
  readonly exitX: number;
  readonly routes: Routes;
}

export const BOX_GAP_PX = 24;
const BEND_GAP_PX = 12;
const BENDS_GAP_PX = 8;
const ROW_GAP_PX = 28;
/** Between the border of a group and its first or last row, if edges cross it. */
export const PORT_GAP_PX = 18;
const MAX_ROW_GAP_PX = 48;
const LANE_GAP_PX = 10;
const SIDE_MARGIN_PX = 12;

/** One box and the edges to and from the outside. */
export function placeSingle({ width, height, entry, exit }: Sizes, box: number, from: Int32Array): Part {
  const hasEntry = from.includes(1);
  const top = hasEntry ? PORT_GAP_PX : 0;
  const hasExit = from.length > Number(hasEntry);
  const centre = width[box]! / 2;
  const bottom = top + height[box]!;
  const all = bottom + (hasExit ? PORT_GAP_PX : 0);
  const [entryX, exitX] = [centre + (entry[box]! || 0), centre + (exit[box]! || 0)];
  const routes = new RouteBuilder();
  for (const end of from) {
    routes.add(end === 1 ? entryX : exitX, end === 1 ? 0 : bottom);
    routes.add(end === 1 ? entryX : exitX, end === 1 ? top : all);
    routes.end();
  }
  const [lefts, tops] = [Float64Array.of(0), Float64Array.of(top)];
  return { width: width[box]!, height: all, left: lefts, top: tops, entryX, exitX, routes: routes.build() };
}

/** `sizes` by box of the structure. */
export function placePart(structure: Structure, sizes: Sizes): Part {
  const { boxes, vertices, rows } = structure;
  const padded = (column: Float64Array): Float64Array => {
    const all = new Float64Array(vertices);
    column.forEach((value, box) => (all[box] = value || 0));
    return all;
  };
  const width = padded(sizes.width);
  const isBend = (vertex: number): boolean => vertex >= boxes;
  const gap = (left: number, right: number): number =>
    isBend(left) ? (isBend(right) ? BENDS_GAP_PX : BEND_GAP_PX) : isBend(right) ? BEND_GAP_PX : BOX_GAP_PX;
  const ports = { entry: padded(sizes.entry), exit: padded(sizes.exit) };
  const x = assignCoordinates({ rows, segments: structure.segments, width, gap, ...ports });
  straightenBends(structure, x, width, gap);
  // On whole pixels: what should be straight is, to the last digit.
  x.forEach((at, vertex) => (x[vertex] = Math.round(at)));
  const sides = sidesOf(rows, x, width);
  const lanes = assignLanes(structure, x, sides);
  let [left, right] = [Infinity, -Infinity];
  for (let row = 0; row < rows.length; row += 1) {
    left = Math.min(left, sides.left[row]!);
    right = Math.max(right, sides.right[row]!);
  }
  const band = rowBands(structure, sizes.height, lanes);
  const routes = new PartRouter(structure, sizes, { x, lanes, band }, left).routeAll();
  const part = { width: right - left, height: band.bottom[rows.length - 1]!, routes };
  const lefts = Float64Array.from({ length: boxes }, (_, box) => x[box]! - width[box]! / 2 - left);
  const tops = Float64Array.from({ length: boxes }, (_, box) => band.top[structure.rank[box]!]!);
  return { ...part, left: lefts, top: tops, entryX: x[boxes]! - left, exitX: x[boxes + 1]! - left };
}

function sidesOf(
  rows: readonly Int32Array[],
  x: Float64Array,
  width: Float64Array,
): { left: Float64Array; right: Float64Array } {
  const side = (end: -1 | 1): Float64Array =>
    Float64Array.from(rows, (row) => {
      const vertex = row[end === -1 ? 0 : row.length - 1]!;
      return x[vertex]! + (end * width[vertex]!) / 2;
    });
  return { left: side(-1), right: side(1) };
}

interface Bands {
  readonly top: Float64Array;
  readonly bottom: Float64Array;
}

/** Top and bottom of each row. Gaps do not depend on the sizes of boxes, so that an opened one moves nothing above it. */
function rowBands(
  { boxes, rank, rows, upper, lower, isBack }: Structure,
  height: Float64Array,
  lanes: readonly (Lane | null)[],
): Bands {
  const hasLane = new Uint8Array(rows.length);
  lanes.forEach((lane, edge) => {
    if (!lane) return;
    const [a, b] = isBack[edge] ? [lower[edge]!, upper[edge]!] : [upper[edge]!, lower[edge]!];
    hasLane[rank[a]!] = hasLane[rank[b]! - 1] = 1;
  });
  const isUsed = (port: number): boolean => upper.includes(port) || lower.includes(port);
  const [top, bottom] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  for (let row = 1, y = 0; row < rows.length; row += 1) {
    const isPort = row === 1 || row === rows.length - 1;
    // Edges run further sideways in wide rows.
    const extra = Math.min(MAX_ROW_GAP_PX, 2 * Math.max(rows[row]!.length, rows[row - 1]!.length) - 2);
    if (!isPort || isUsed(row === 1 ? boxes : boxes + 1)) y += (isPort ? PORT_GAP_PX : ROW_GAP_PX) + extra;
    if (hasLane[row - 1]) y += isPort ? PORT_GAP_PX : LANE_GAP_PX;
    top[row] = y;
    let highest = 0;
    for (const vertex of rows[row]!) if (vertex < boxes) highest = Math.max(highest, height[vertex]!);
    bottom[row] = y += highest;
  }
  return { top, bottom };
}

class PartRouter {
  readonly #routes = new RouteBuilder();

  constructor(
    private readonly structure: Structure,
    private readonly sizes: Sizes,
    private readonly place: {
      readonly x: Float64Array;
      readonly lanes: readonly (Lane | null)[];
      readonly band: Bands;
    },
    private readonly left: number,
  ) {}

  routeAll(): Routes {
    this.structure.upper.forEach((_, edge) => {
      const lane = this.place.lanes[edge];
      if (lane) this.#alongLane(edge, lane);
      else this.#throughBends(edge);
      this.#routes.end();
    });
    return this.#routes.build();
  }

  #add(x: number, y: number): void {
    this.#routes.add(x - this.left, y);
  }

  #throughBends(edge: number): void {
    const { upper, lower, firstBend, bends, rank } = this.structure;
    const { x, band } = this.place;
    const [a, b] = [upper[edge]!, lower[edge]!];
    const [first, last] = [firstBend[edge]!, firstBend[edge]! + bends[edge]! - 1];
    const hasBends = bends[edge]! > 0;
    const [startX, startY] = this.#bottomOf(a, hasBends ? x[first]! : this.#portX(b, this.sizes.entry));
    this.#add(startX, startY);
    this.#add(startX, band.bottom[rank[a]!]!);
    for (let bend = first; bend <= last && hasBends; bend += 1) {
      this.#add(x[bend]!, band.top[rank[bend]!]!);
      this.#add(x[bend]!, band.bottom[rank[bend]!]!);
    }
    this.#add(this.#topX(b, hasBends ? x[last]! : this.#portX(a, this.sizes.exit)), band.top[rank[b]!]!);
  }

  #alongLane(edge: number, lane: Lane): void {
    const { upper, lower, rank, isBack } = this.structure;
    const { x, band } = this.place;
    const [a, b] = isBack[edge] ? [lower[edge]!, upper[edge]!] : [upper[edge]!, lower[edge]!];
    const spread = 4 * (lane.index % 3);
    if (this.#isOutermost(a, lane.side)) {
      const [edgeX, y] = this.#sideOf(a, lane.side, 0.65);
      this.#add(edgeX, y);
      this.#add(lane.x, y);
    } else {
      const y = band.bottom[rank[a]!]! + 5 + spread;
      const [startX, startY] = this.#bottomOf(a, x[a]!);
      this.#add(startX, startY);
      this.#add(startX, y);
      this.#add(lane.x, y);
    }
    if (this.#isOutermost(b, lane.side)) {
      const [edgeX, y] = this.#sideOf(b, lane.side, 0.35);
      this.#add(lane.x, y);
      this.#add(edgeX, y);
    } else {
      const y = band.top[rank[b]!]! - 9 - spread;
      const endX = this.#topX(b, lane.x);
      this.#add(lane.x, y);
      this.#add(endX, y);
      this.#add(endX, band.top[rank[b]!]!);
    }
  }

  /** Nothing is between the box and the lane, so the edge may use its side. An open group has its edges at the top and the bottom. */
  #isOutermost(vertex: number, side: Lane["side"]): boolean {
    if (vertex >= this.structure.boxes || !Number.isNaN(this.sizes.entry[vertex]!)) return false;
    const row = this.structure.rows[this.structure.rank[vertex]!]!;
    return row[side === "left" ? 0 : row.length - 1] === vertex;
  }

  #sideOf(vertex: number, side: Lane["side"], share: number): [number, number] {
    const { width, height } = this.sizes;
    const half = width[vertex]! / 2;
    const top = this.place.band.top[this.structure.rank[vertex]!]!;
    return [this.place.x[vertex]! + (side === "left" ? -half : half), top + height[vertex]! * share];
  }

  #bottomOf(vertex: number, towards: number): [number, number] {
    const { boxes, rank } = this.structure;
    const y = this.place.band.top[rank[vertex]!]! + (vertex < boxes ? this.sizes.height[vertex]! : 0);
    return [this.#attach(vertex, towards, this.sizes.exit, 6), y];
  }

  #topX(vertex: number, from: number): number {
    return this.#attach(vertex, from, this.sizes.entry, 3);
  }

  #portX(vertex: number, port: Float64Array): number {
    return this.place.x[vertex]! + (port[vertex] || 0);
  }

  /** A box spreads its edges a little in the direction they come from. */
  #attach(vertex: number, other: number, port: Float64Array, share: number): number {
    const x = this.place.x[vertex]!;
    if (vertex >= this.structure.boxes) return x;
    if (!Number.isNaN(port[vertex]!)) return x + port[vertex]!;
    const reach = Math.max(0, this.sizes.width[vertex]! / 2 - SIDE_MARGIN_PX);
    return x + Math.round(Math.max(-reach, Math.min(reach, (other - x) / share)));
  }
}
