/** Which labels fit: the most important first, at the first side of their point where nothing is in the way. Dropped, never overlapped. */

import type { Box } from "./marks";

export interface Label {
  /** The point that it names, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The larger, the earlier it is placed; equal ones in their order. */
  readonly importance?: number;
}

export type Side = "over" | "above" | "right" | "below" | "left";

export interface PlacedLabel {
  readonly index: number;
  readonly box: Box;
}

export interface PlacingOptions {
  /** Where a label may be, best first; "over" has its middle on the point. */
  readonly sides?: readonly Side[];
  /** Room between labels, and between a label and its point. */
  readonly gapPx?: number;
  /** No label reaches out of it. */
  readonly within?: Box;
}

/** The labels that are shown, in the order they were placed. */
export function placeLabels(
  labels: readonly Label[],
  { sides = ["over"], gapPx = 0, within }: PlacingOptions = {},
): PlacedLabel[] {
  const taken = new TakenSpace(gapPx);
  const order = [...labels.keys()].sort((a, b) => (labels[b]!.importance ?? 0) - (labels[a]!.importance ?? 0));
  return order.flatMap((index) => {
    const box = sides
      .map((side) => boxAt(labels[index]!, side, gapPx))
      .find((each) => (!within || isInside(each, within)) && taken.isFree(each));
    if (!box) return [];
    taken.add(box);
    return [{ index, box }];
  });
}

function boxAt({ x, y, width, height }: Label, side: Side, gapPx: number): Box {
  const left = side === "right" ? x + gapPx : side === "left" ? x - gapPx - width : x - width / 2;
  const top = side === "below" ? y + gapPx : side === "above" ? y - gapPx - height : y - height / 2;
  return { left, top, right: left + width, bottom: top + height };
}

const isInside = (box: Box, within: Box): boolean =>
  box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom;

const CELL_PX = 64;

/** Boxes by the squares they lie in: thousands of labels are compared with their neighbours only. */
class TakenSpace {
  readonly #cells = new Map<string, Box[]>();

  constructor(private readonly gapPx: number) {}

  isFree(box: Box): boolean {
    const grown = this.#grown(box);
    const { left, right, top, bottom } = grown;
    const isClear = (other: Box): boolean =>
      other.right <= left || other.left >= right || other.bottom <= top || other.top >= bottom;
    return this.#keysOf(grown).every((key) => (this.#cells.get(key) ?? []).every(isClear));
  }

  add(box: Box): void {
    for (const key of this.#keysOf(box)) {
      const cell = this.#cells.get(key);
      if (cell) cell.push(box);
      else this.#cells.set(key, [box]);
    }
  }

  #grown({ left, right, top, bottom }: Box): Box {
    return { left: left - this.gapPx, right: right + this.gapPx, top: top - this.gapPx, bottom: bottom + this.gapPx };
  }

  #keysOf({ left, right, top, bottom }: Box): string[] {
    const keys: string[] = [];
    for (let column = Math.floor(left / CELL_PX); column <= Math.floor(right / CELL_PX); column += 1)
      for (let row = Math.floor(top / CELL_PX); row <= Math.floor(bottom / CELL_PX); row += 1)
        keys.push(`${column} ${row}`);
    return keys;
  }
}
