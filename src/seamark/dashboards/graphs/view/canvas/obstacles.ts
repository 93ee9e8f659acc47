/** Obstacles: rectangles that a text must not cover, found by where they are. */

export type Rect = readonly [left: number, top: number, right: number, bottom: number];

const CELL_PX = 64;
/** A longer rectangle is in a list for its rows or columns: a line through the whole graph would be in very many cells. */
const MAX_CELLS = 8;

class Buckets {
  readonly #rects = new Map<string, Rect[]>();

  add(key: string, rect: Rect): void {
    const list = this.#rects.get(key);
    if (list) list.push(rect);
    else this.#rects.set(key, [rect]);
  }

  hits(key: string, rect: Rect): boolean {
    return this.#rects.get(key)?.some((other) => overlaps(other, rect)) ?? false;
  }
}

const overlaps = (one: Rect, other: Rect): boolean =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

const cellOf = (at: number): number => Math.floor(at / CELL_PX);

export class Obstacles {
  readonly #buckets = new Buckets();

  add(rect: Rect): void {
    for (const key of keysOf(rect, storedIn(rect))) this.#buckets.add(key, rect);
  }

  isFree(rect: Rect): boolean {
    for (const list of ["cell", "column", "row"] as const)
      for (const key of keysOf(rect, list)) if (this.#buckets.hits(key, rect)) return false;
    return true;
  }
}

type List = "cell" | "column" | "row";

function storedIn([left, top, right, bottom]: Rect): List {
  const [wide, high] = [cellOf(right) - cellOf(left), cellOf(bottom) - cellOf(top)];
  if (wide <= MAX_CELLS && high <= MAX_CELLS) return "cell";
  return high > wide ? "column" : "row";
}

function* keysOf([left, top, right, bottom]: Rect, list: List): Generator<string> {
  if (list === "row") for (let y = cellOf(top); y <= cellOf(bottom); y += 1) yield `row ${y}`;
  else
    for (let x = cellOf(left); x <= cellOf(right); x += 1)
      if (list === "column") yield `column ${x}`;
      else for (let y = cellOf(top); y <= cellOf(bottom); y += 1) yield `${x} ${y}`;
}
