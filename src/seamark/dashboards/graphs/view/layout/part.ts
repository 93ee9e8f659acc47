/** Positions and routes of one connected part of a group, from its structure and the sizes of its boxes. */

import { assignCoordinates, closeEmptyStrips } from "./coordinates";
import { assignLanes, type Lane } from "./lanes";
import { RouteBuilder, type Routes } from "./routes";
import { straightenBends } from "./straighten";
import type { Structure } from "./structure";

export interface Sizes {
  /** By box. */
  readonly width: Float64Array;
  readonly height: Float64Array;
  /** By edge: where it leaves its source and enters its target, from their centres; NaN: where it suits the edge. */
  readonly exit: Float64Array;
  readonly entry: Float64Array;
}

export interface Part {
  readonly width: number;
  readonly height: number;
  readonly left: Float64Array;
  readonly top: Float64Array;
  /** Where edges from outside enter at the top, and leave at the bottom, by port. */
  readonly entryX: Float64Array;
  readonly exitX: Float64Array;
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
const PORTS_GAP_PX = 20;
const SIDE_MARGIN_PX = 12;
/** A slant this small looks like a mistake. */
const UPRIGHT_PX = 5;

/** One box, with at most one edge from outside and one to it; `isEntry` by edge. */
export function placeSingle({ width, height, entry, exit }: Sizes, isEntry: readonly boolean[]): Part {
  const [hasEntry, hasExit] = [isEntry.includes(true), isEntry.includes(false)];
  const top = hasEntry ? PORT_GAP_PX : 0;
  const bottom = top + height[0]!;
  const all = bottom + (hasExit ? PORT_GAP_PX : 0);
  const routes = new RouteBuilder();
  const ports: Record<"in" | "out", number[]> = { in: [], out: [] };
  isEntry.forEach((isIn, edge) => {
    const x = width[0]! / 2 + ((isIn ? entry : exit)[edge]! || 0);
    ports[isIn ? "in" : "out"].push(x);
    routes.add(x, isIn ? 0 : bottom);
    routes.add(x, isIn ? top : all);
    routes.end();
  });
  return {
    width: width[0]!,
    height: all,
    left: Float64Array.of(0),
    top: Float64Array.of(top),
    entryX: Float64Array.from(ports.in),
    exitX: Float64Array.from(ports.out),
    routes: routes.build(),
  };
}

/** `sizes` by box and edge of the structure. */
export function placePart(structure: Structure, sizes: Sizes): Part {
  const { boxes, entries, exits, vertices, rows } = structure;
  const width = new Float64Array(vertices);
  width.set(sizes.width);
  const gap = (left: number, right: number): number => gapBetween(structure, left, right);
  const x = assignCoordinates({ rows, segments: structure.segments, width, gap, ...segmentPorts(structure, sizes) });
  straightenBends(structure, x, width, gap);
  closeEmptyStrips(x, width);
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
  const portsFrom = (first: number, count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, port) => x[first + port]! - left);
  return {
    width: right - left,
    height: band.bottom[rows.length - 1]!,
    left: Float64Array.from({ length: boxes }, (_, box) => x[box]! - width[box]! / 2 - left),
    top: Float64Array.from({ length: boxes }, (_, box) => band.top[structure.rank[box]!]!),
    entryX: portsFrom(boxes, entries),
    exitX: portsFrom(boxes + entries, exits),
    routes,
  };
}

function gapBetween({ boxes, entries, exits }: Structure, left: number, right: number): number {
  if (left < boxes) return right < boxes ? BOX_GAP_PX : BEND_GAP_PX;
  if (right < boxes) return BEND_GAP_PX;
  return left < boxes + entries + exits && right < boxes + entries + exits ? PORTS_GAP_PX : BENDS_GAP_PX;
}

/** Where segments leave and enter: those of an edge at its ends, the middle of its bends. */
function segmentPorts({ segments }: Structure, { entry, exit }: Sizes): { exit: Float64Array; entry: Float64Array } {
  const at = (port: Float64Array, edges: Int32Array): Float64Array =>
    Float64Array.from(edges, (edge) => (edge < 0 ? 0 : port[edge]! || 0));
  return { exit: at(exit, segments.leavesOf), entry: at(entry, segments.entersOf) };
}

function sidesOf(
  rows: readonly Int32Array[],
  x: Float64Array,
  width: Float64Array,
): { left: Float64Array; right: Float64Array } {
  const side = (end: -1 | 1): Float64Array =>
    Float64Array.from(rows, (row) => {
      const vertex = row[end === -1 ? 0 : row.length - 1];
      return vertex === undefined ? -end * Infinity : x[vertex]! + (end * width[vertex]!) / 2;
    });
  return { left: side(-1), right: side(1) };
}

interface Bands {
  readonly top: Float64Array;
  readonly bottom: Float64Array;
}

/** Top and bottom of each row. Gaps do not depend on the sizes of boxes, so that an opened one moves nothing above it. */
function rowBands(
  { boxes, entries, exits, rank, rows, upper, lower, isBack }: Structure,
  height: Float64Array,
  lanes: readonly (Lane | null)[],
): Bands {
  const hasLane = new Uint8Array(rows.length);
  lanes.forEach((lane, edge) => {
    if (!lane) return;
    const [a, b] = isBack[edge] ? [lower[edge]!, upper[edge]!] : [upper[edge]!, lower[edge]!];
    hasLane[rank[a]!] = hasLane[rank[b]! - 1] = 1;
  });
  const [top, bottom] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  for (let row = 1, y = 0; row < rows.length; row += 1) {
    const isPort = row === 1 || row === rows.length - 1;
    // Edges run further sideways in wide rows.
    const extra = Math.min(MAX_ROW_GAP_PX, 2 * Math.max(rows[row]!.length, rows[row - 1]!.length) - 2);
    if (!isPort || (row === 1 ? entries : exits) > 0) y += (isPort ? PORT_GAP_PX : ROW_GAP_PX) + extra;
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
    const { entry, exit } = this.sizes;
    const [startX, startY] = this.#bottomOf(a, exit[edge]!, hasBends ? x[first]! : x[b]! + (entry[edge]! || 0));
    this.#add(startX, startY);
    this.#add(startX, band.bottom[rank[a]!]!);
    for (let bend = first; bend <= last && hasBends; bend += 1) {
      this.#add(x[bend]!, band.top[rank[bend]!]!);
      this.#add(x[bend]!, band.bottom[rank[bend]!]!);
    }
    const endX = this.#attach(b, entry[edge]!, hasBends ? x[last]! : x[a]! + (exit[edge]! || 0), 3);
    const isUpright = Number.isNaN(entry[edge]!) && b < this.structure.boxes && Math.abs(endX - startX) <= UPRIGHT_PX;
    this.#add(isUpright && !hasBends ? startX : endX, band.top[rank[b]!]!);
  }

  #alongLane(edge: number, lane: Lane): void {
    const { upper, lower, rank, isBack } = this.structure;
    const { x, band } = this.place;
    const [a, b] = isBack[edge] ? [lower[edge]!, upper[edge]!] : [upper[edge]!, lower[edge]!];
    const { entry, exit } = this.sizes;
    const spread = 4 * (lane.index % 3);
    if (Number.isNaN(exit[edge]!) && this.#isOutermost(a, lane.side)) {
      const [edgeX, y] = this.#sideOf(a, lane.side, 0.65);
      this.#add(edgeX, y);
      this.#add(lane.x, y);
    } else {
      const y = band.bottom[rank[a]!]! + 5 + spread;
      const [startX, startY] = this.#bottomOf(a, exit[edge]!, x[a]!);
      this.#add(startX, startY);
      this.#add(startX, y);
      this.#add(lane.x, y);
    }
    if (Number.isNaN(entry[edge]!) && this.#isOutermost(b, lane.side)) {
      const [edgeX, y] = this.#sideOf(b, lane.side, 0.35);
      this.#add(lane.x, y);
      this.#add(edgeX, y);
    } else {
      const y = band.top[rank[b]!]! - 9 - spread;
      const endX = this.#attach(b, entry[edge]!, lane.x, 3);
      this.#add(lane.x, y);
      this.#add(endX, y);
      this.#add(endX, band.top[rank[b]!]!);
    }
  }

  /** Nothing is between the box and the lane, so the edge may use its side; an open group has ports at the top and the bottom. */
  #isOutermost(vertex: number, side: Lane["side"]): boolean {
    if (vertex >= this.structure.boxes) return false;
    const row = this.structure.rows[this.structure.rank[vertex]!]!;
    return row[side === "left" ? 0 : row.length - 1] === vertex;
  }

  #sideOf(vertex: number, side: Lane["side"], share: number): [number, number] {
    const { width, height } = this.sizes;
    const half = width[vertex]! / 2;
    const top = this.place.band.top[this.structure.rank[vertex]!]!;
    return [this.place.x[vertex]! + (side === "left" ? -half : half), top + height[vertex]! * share];
  }

  #bottomOf(vertex: number, port: number, towards: number): [number, number] {
    const { boxes, rank } = this.structure;
    const y = this.place.band.top[rank[vertex]!]! + (vertex < boxes ? this.sizes.height[vertex]! : 0);
    return [this.#attach(vertex, port, towards, 6), y];
  }

  /** A box spreads its edges a little in the direction they come from. */
  #attach(vertex: number, port: number, other: number, share: number): number {
    const x = this.place.x[vertex]!;
    if (vertex >= this.structure.boxes) return x;
    if (!Number.isNaN(port)) return x + port;
    const reach = Math.max(0, this.sizes.width[vertex]! / 2 - SIDE_MARGIN_PX);
    return x + Math.round(Math.max(-reach, Math.min(reach, (other - x) / share)));
  }
}
