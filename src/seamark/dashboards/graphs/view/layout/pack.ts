/** Parts of a group that have no edges between them, packed in shelves from left to right and from top to bottom. */

import { BOX_GAP_PX, PORT_GAP_PX, type Part } from "./part";
import type { RouteBuilder } from "./routes";

export interface PackedPart extends Part {
  /** The ports of the group that its own ones belong to. */
  readonly entries: readonly number[];
  readonly exits: readonly number[];
}

/** Wider than high, as screens are. */
const ASPECT = 1.7;
/** A few boxes stay beside each other. */
const MIN_SHELF_PX = 560;
const SHELF_GAP_PX = 28;
const LANE_PX = 14;
const PORTS_GAP_PX = 12;

interface Place {
  readonly x: number;
  readonly y: number;
  /** The first shelf is at the top, the last one at the bottom of its column. */
  readonly isFirst: boolean;
  isLast: boolean;
  /** The bottom of the shelf. */
  bottom: number;
  /** Upright lines at both sides of the column, where no box is. */
  readonly entryLane: number;
  exitLane: number;
}

export class Packed {
  readonly width: number;
  readonly height: number;
  /** By port of the group. */
  readonly entryX: Float64Array;
  readonly exitX: Float64Array;

  constructor(
    private readonly parts: readonly PackedPart[],
    private readonly places: readonly Place[],
    private readonly hasPorts: boolean,
    ports: { readonly entries: number; readonly exits: number },
  ) {
    const right = places.reduce((most, { exitLane }) => Math.max(most, exitLane), 0);
    // Even, so that its middle is a whole pixel.
    this.width = 2 * Math.ceil(right / 2);
    const bottom = places.reduce((most, place) => Math.max(most, place.bottom), 0);
    this.height = bottom + (hasPorts && ports.exits > 0 ? PORT_GAP_PX : 0);
    this.entryX = this.#portsOf(ports.entries, ({ isFirst }) => isFirst, "entries", "entryX");
    this.exitX = this.#portsOf(ports.exits, ({ isLast }) => isLast, "exits", "exitX");
  }

  positionOf(part: number): { readonly x: number; readonly y: number } {
    return this.places[part]!;
  }

  /** From the group's entry to that of a part: straight to the first shelf, along the side to the others. */
  enter(into: RouteBuilder, part: number, port: number): void {
    const { x, y, isFirst, entryLane } = this.places[part]!;
    const { entries, entryX } = this.parts[part]!;
    into.add(this.entryX[port]!, 0);
    if (isFirst) return;
    const above = y - SHELF_GAP_PX / 2;
    into.add(this.entryX[port]!, PORT_GAP_PX / 2);
    into.add(entryLane, PORT_GAP_PX / 2);
    into.add(entryLane, above);
    into.add(x + entryX[entries.indexOf(port)]!, above);
  }

  leave(into: RouteBuilder, part: number, port: number): void {
    const { x, bottom, isLast, exitLane } = this.places[part]!;
    const { exits, exitX } = this.parts[part]!;
    const exit = x + exitX[exits.indexOf(port)]!;
    if (!isLast && this.hasPorts) {
      into.add(exit, bottom + 6);
      into.add(exitLane, bottom + 6);
      into.add(exitLane, this.height - PORT_GAP_PX / 2);
      into.add(this.exitX[port]!, this.height - PORT_GAP_PX / 2);
    } else into.add(exit, this.height - (this.hasPorts ? PORT_GAP_PX : 0));
    into.add(this.exitX[port]!, this.height);
  }

  /** Above the parts of the first shelf that use it, or below those of the last one; else in the middle. */
  #portsOf(
    count: number,
    isUsed: (place: Place) => boolean,
    ports: "entries" | "exits",
    positions: "entryX" | "exitX",
  ): Float64Array {
    const [sums, counts] = [new Float64Array(count), new Int32Array(count)];
    this.parts.forEach((part, index) => {
      if (!isUsed(this.places[index]!)) return;
      part[ports].forEach((port, own) => {
        sums[port]! += this.places[index]!.x + part[positions][own]!;
        counts[port]! += 1;
      });
    });
    const middle = (port: number): number => this.width / 2 + (port - (count - 1) / 2) * PORTS_GAP_PX;
    return sums.map((sum, port) => Math.round(counts[port] === 0 ? middle(port) : sum / counts[port]!));
  }
}

const areaOf = ({ width, height }: PackedPart): number => (width + BOX_GAP_PX) * (height + SHELF_GAP_PX);
const widestOf = (parts: readonly PackedPart[]): number => parts.reduce((most, { width }) => Math.max(most, width), 0);

/** A high part that is most of the group has a column of its own; the others are in shelves beside it. */
export function packParts(
  parts: readonly PackedPart[],
  ports: { readonly entries: number; readonly exits: number },
): Packed {
  const hasPorts = parts.length > 1 && ports.entries + ports.exits > 0;
  const area = parts.reduce((sum, part) => sum + areaOf(part), 0);
  const main = parts.findIndex((part) => areaOf(part) > area / 2 && part.height * ASPECT > part.width);
  if (parts.length === 1 || main < 0) {
    const room = Math.max(widestOf(parts), MIN_SHELF_PX, Math.sqrt(area * ASPECT));
    return new Packed(parts, shelve(parts, room, 0, hasPorts), hasPorts, ports);
  }
  const others = parts.filter((_, index) => index !== main);
  const first = shelve([parts[main]!], Infinity, 0, hasPorts);
  const room = Math.max(widestOf(others), (area - areaOf(parts[main]!)) / parts[main]!.height, parts[main]!.width / 4);
  const rest = shelve(others, room, first[0]!.exitLane + BOX_GAP_PX, hasPorts);
  const places = [...rest.slice(0, main), first[0]!, ...rest.slice(main)];
  return new Packed(parts, places, hasPorts, ports);
}

/** One column of shelves that begins at `left`. */
function shelve(parts: readonly PackedPart[], room: number, left: number, hasPorts: boolean): Place[] {
  const start = left + (hasPorts ? LANE_PX : 0);
  let [right, top, bottom, end] = [start, hasPorts ? PORT_GAP_PX : 0, 0, start];
  let shelf: Place[] = [];
  const places: Place[] = [];
  const closeShelf = (isLast: boolean): void => {
    for (const place of shelf) Object.assign(place, { bottom, isLast });
    shelf = [];
  };
  for (const part of parts) {
    if (right > start && right + part.width > start + room) {
      closeShelf(false);
      [right, top] = [start, bottom + SHELF_GAP_PX];
    }
    const isFirst = places.length === shelf.length;
    const place = { x: right, y: top, isFirst, isLast: false, bottom, entryLane: left, exitLane: 0 };
    places.push(place);
    shelf.push(place);
    end = Math.max(end, right + part.width);
    bottom = Math.max(bottom, top + part.height);
    right += part.width + BOX_GAP_PX;
  }
  closeShelf(true);
  for (const place of places) place.exitLane = end + (hasPorts ? LANE_PX : 0);
  return places;
}
