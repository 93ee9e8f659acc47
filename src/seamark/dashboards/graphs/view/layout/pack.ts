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
  readonly entryX: number;
  readonly exitX: number;

  constructor(
    private readonly parts: readonly PackedPart[],
    private readonly places: readonly Place[],
    private readonly hasPorts: boolean,
  ) {
    const right = places.reduce((most, { exitLane }) => Math.max(most, exitLane), 0);
    // Even, so that its middle is a whole pixel.
    this.width = 2 * Math.ceil(right / 2);
    const bottom = places.reduce((most, place) => Math.max(most, place.bottom), 0);
    this.height = bottom + (hasPorts && parts.some((part) => part.hasExit) ? PORT_GAP_PX : 0);
    this.entryX = this.#mean(({ hasEntry }, { isFirst }) => hasEntry && isFirst, "entryX");
    this.exitX = this.#mean(({ hasExit }, { isLast }) => hasExit && isLast, "exitX");
  }

  positionOf(part: number): { readonly x: number; readonly y: number } {
    return this.places[part]!;
  }

  /** From the group's entry to that of a part: straight to the first shelf, along the side to the others. */
  enter(into: RouteBuilder, part: number): void {
    const { x, y, isFirst, entryLane } = this.places[part]!;
    into.add(this.entryX, 0);
    if (isFirst) return;
    const above = y - SHELF_GAP_PX / 2;
    into.add(this.entryX, PORT_GAP_PX / 2);
    into.add(entryLane, PORT_GAP_PX / 2);
    into.add(entryLane, above);
    into.add(x + this.parts[part]!.entryX, above);
  }

  leave(into: RouteBuilder, part: number): void {
    const { x, bottom, isLast, exitLane } = this.places[part]!;
    const exit = x + this.parts[part]!.exitX;
    if (!isLast && this.hasPorts) {
      into.add(exit, bottom + 6);
      into.add(exitLane, bottom + 6);
      into.add(exitLane, this.height - PORT_GAP_PX / 2);
      into.add(this.exitX, this.height - PORT_GAP_PX / 2);
    } else into.add(exit, this.height - (this.hasPorts ? PORT_GAP_PX : 0));
    into.add(this.exitX, this.height);
  }

  #mean(isUsed: (part: PackedPart, place: Place) => boolean, port: "entryX" | "exitX"): number {
    const used = this.parts.flatMap((part, index) => {
      const place = this.places[index]!;
      return isUsed(part, place) ? [place.x + part[port]] : [];
    });
    return used.length === 0 ? this.width / 2 : Math.round(used.reduce((sum, x) => sum + x, 0) / used.length);
  }
}

const areaOf = ({ width, height }: PackedPart): number => (width + BOX_GAP_PX) * (height + SHELF_GAP_PX);
const widestOf = (parts: readonly PackedPart[]): number => parts.reduce((most, { width }) => Math.max(most, width), 0);

/** A high part that is most of the group has a column of its own; the others are in shelves beside it. */
export function packParts(parts: readonly PackedPart[]): Packed {
  const hasPorts = parts.length > 1 && parts.some(({ hasEntry, hasExit }) => hasEntry || hasExit);
  const area = parts.reduce((sum, part) => sum + areaOf(part), 0);
  const main = parts.findIndex((part) => areaOf(part) > area / 2 && part.height * ASPECT > part.width);
  if (parts.length === 1 || main < 0) {
    const room = Math.max(widestOf(parts), MIN_SHELF_PX, Math.sqrt(area * ASPECT));
    return new Packed(parts, shelve(parts, room, 0, hasPorts), hasPorts);
  }
  const others = parts.filter((_, index) => index !== main);
  const first = shelve([parts[main]!], Infinity, 0, hasPorts);
  const room = Math.max(widestOf(others), (area - areaOf(parts[main]!)) / parts[main]!.height, parts[main]!.width / 4);
  const rest = shelve(others, room, first[0]!.exitLane + BOX_GAP_PX, hasPorts);
  const places = [...rest.slice(0, main), first[0]!, ...rest.slice(main)];
  return new Packed(parts, places, hasPorts);
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
