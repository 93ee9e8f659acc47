/** The outline: the visible boxes as rows of a tree, and where keys go in it. */

import type { Boxes } from "../../wire";

export interface TreeRow {
  /** An index into the boxes. */
  readonly box: number;
  /** 1 at the top. */
  readonly level: number;
  /** Its position among the boxes of the same group, from 1, and how many these are. */
  readonly position: number;
  readonly siblings: number;
}

/** The boxes in the order in which a tree lists them: each group before what is in it. */
export function treeRows(parents: readonly number[]): readonly TreeRow[] {
  const children = new Map<number, number[]>();
  parents.forEach((parent, box) => {
    const list = children.get(parent);
    if (list) list.push(box);
    else children.set(parent, [box]);
  });
  const rows: TreeRow[] = [];
  // A list instead of recursion: groups can be nested ten thousand deep.
  const waiting = rowsOf(children.get(-1) ?? [], 1);
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    for (const child of rowsOf(children.get(row.box) ?? [], row.level + 1)) waiting.push(child);
  }
  return rows;
}

/** Last one first, as a stack takes them. */
const rowsOf = (boxes: readonly number[], level: number): TreeRow[] =>
  boxes.map((box, at) => ({ box, level, position: at + 1, siblings: boxes.length })).reverse();

export type TreeAction =
  { readonly type: "move"; readonly row: number } | { readonly type: "toggle" } | { readonly type: "openBelow" };

export interface TreePosition {
  readonly rows: readonly TreeRow[];
  readonly boxes: Pick<Boxes, "type" | "is_open" | "parent">;
  readonly active: number;
  /** How many rows Page Up and Page Down move by. */
  readonly page: number;
}

/** What a key does in the tree; null for a key that does nothing. */
export function treeAction(key: string, hasShift: boolean, position: TreePosition): TreeAction | null {
  const { rows, boxes, active, page } = position;
  const row = rows[active];
  if (!row) return null;
  const to = listIndex(key, active, { count: rows.length, page });
  if (to !== null) return { type: "move", row: to };
  const isGroup = boxes.type[row.box] !== "op";
  const isOpen = boxes.is_open[row.box]!;
  if (key === "Enter") return isGroup ? { type: hasShift ? "openBelow" : "toggle" } : null;
  if (key === "ArrowRight" && isGroup) return isOpen ? { type: "move", row: active + 1 } : { type: "toggle" };
  if (key !== "ArrowLeft") return null;
  if (isGroup && isOpen) return { type: "toggle" };
  const parent = rows.findIndex(({ box }) => box === boxes.parent[row.box]);
  return parent < 0 ? null : { type: "move", row: parent };
}

/** Where a key goes in a list; null for a key that moves nothing. At either end it stays. */
export function listIndex(
  key: string,
  active: number,
  { count, page }: { readonly count: number; readonly page: number },
): number | null {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }[key];
  return by === undefined || count === 0 ? null : Math.max(0, Math.min(active + by, count - 1));
}

const PAUSE_MS = 700;

/** Letters that are typed one after the other choose the next row that begins with them. */
export class TypeAhead {
  #typed = "";
  #lastMs = -Infinity;

  /** The row to go to; null if none begins with what was typed. */
  find(letter: string, atMs: number, labels: readonly string[], active: number): number | null {
    this.#typed = (atMs - this.#lastMs > PAUSE_MS ? "" : this.#typed) + letter.toLowerCase();
    this.#lastMs = atMs;
    // The same letter again goes on; a longer word may be the active row's own.
    const isRepeated = [...this.#typed].every((typed) => typed === this.#typed[0]);
    const text = isRepeated ? this.#typed[0]! : this.#typed;
    const start = isRepeated ? active + 1 : active;
    for (let step = 0; step < labels.length; step += 1) {
      const row = (start + step) % labels.length;
      if (labels[row]!.toLowerCase().startsWith(text)) return row;
    }
    return null;
  }
}
