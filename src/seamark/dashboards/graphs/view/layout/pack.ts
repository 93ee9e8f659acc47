/** Parts of a group that have no edges between them, packed in shelves from left to right and from top to bottom. */

import { BOX_GAP_PX, PORT_GAP_PX, type Part } from "./part";
import type { RouteBuilder } from "./routes";

export interface PackedPart extends Part {
  readonly hasEntry: boolean;
  readonly hasExit: boolean;
}

/** Wider than high, as screens are. */
const ASPECT = 1.7;
/** A few boxes stay beside each other. */
const MIN_SHELF_PX = 560;
const SHELF_GAP_PX = 28;
const LANE_PX = 14;

interface Shelf {
  readonly top: number;
  readonly bottom: number;
}

export class Packed {
  constructor(
    private readonly parts: readonly PackedPart[],
    readonly x: Float64Array,
    readonly y: Float64Array,
    private readonly shelfOf: Int32Array,
    private readonly shelves: readonly Shelf[],
    readonly width: number,
    readonly height: number,
  ) {
    const last = shelves.length - 1;
    this.entryX = this.#mean((part, index) => part.hasEntry && shelfOf[index] === 0, "entryX");
    this.exitX = this.#mean((part, index) => part.hasExit && shelfOf[index] === last, "exitX");
  }

  readonly entryX: number;
  readonly exitX: number;

  /** From the group's entry to that of a part: straight to the first shelf, along the left side to the others. */
  enter(into: RouteBuilder, part: number): void {
    into.add(this.entryX, 0);
    if (this.shelfOf[part] === 0) return;
    const above = this.y[part]! - SHELF_GAP_PX / 2;
    into.add(this.entryX, PORT_GAP_PX / 2);
    into.add(0, PORT_GAP_PX / 2);
    into.add(0, above);
    into.add(this.x[part]! + this.parts[part]!.entryX, above);
  }

  leave(into: RouteBuilder, part: number): void {
    const shelf = this.shelfOf[part]!;
    const { bottom } = this.shelves[shelf]!;
    const x = this.x[part]! + this.parts[part]!.exitX;
    if (shelf < this.shelves.length - 1) {
      into.add(x, bottom + 6);
      into.add(this.width, bottom + 6);
      into.add(this.width, this.height - PORT_GAP_PX / 2);
      into.add(this.exitX, this.height - PORT_GAP_PX / 2);
    } else into.add(x, bottom);
    into.add(this.exitX, this.height);
  }

  #mean(isUsed: (part: PackedPart, index: number) => boolean, port: "entryX" | "exitX"): number {
    const used = this.parts.flatMap((part, index) => (isUsed(part, index) ? [this.x[index]! + part[port]] : []));
    return used.length === 0 ? this.width / 2 : Math.round(used.reduce((sum, x) => sum + x, 0) / used.length);
  }
}

export function packParts(parts: readonly PackedPart[]): Packed {
  const isOne = parts.length === 1;
  const [hasEntry, hasExit] = [parts.some((part) => part.hasEntry), parts.some((part) => part.hasExit)];
  const area = parts.reduce((sum, { width, height }) => sum + (width + BOX_GAP_PX) * (height + SHELF_GAP_PX), 0);
  const widest = parts.reduce((most, { width }) => Math.max(most, width), 0);
  const room = Math.max(widest, MIN_SHELF_PX, Math.sqrt(area * ASPECT));
  const [x, y, shelfOf] = [
    new Float64Array(parts.length),
    new Float64Array(parts.length),
    new Int32Array(parts.length),
  ];
  const shelves: Shelf[] = [];
  const start = hasEntry && !isOne ? LANE_PX : 0;
  let [right, top, bottom, end] = [start, hasEntry && !isOne ? PORT_GAP_PX : 0, 0, 0];
  parts.forEach((part, index) => {
    if (right > start && right + part.width > start + room) {
      shelves.push({ top, bottom });
      [right, top] = [start, bottom + SHELF_GAP_PX];
    }
    x[index] = right;
    y[index] = top;
    shelfOf[index] = shelves.length;
    end = Math.max(end, right + part.width);
    bottom = Math.max(bottom, top + part.height);
    right += part.width + BOX_GAP_PX;
  });
  shelves.push({ top, bottom });
  const margin = hasExit && !isOne ? LANE_PX : 0;
  const height = bottom + (hasExit && !isOne ? PORT_GAP_PX : 0);
  // Even, so that its middle is a whole pixel.
  return new Packed(parts, x, y, shelfOf, shelves, 2 * Math.ceil((end + margin) / 2), height);
}
