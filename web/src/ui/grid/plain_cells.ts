/**
 * The cells of a row that hold words and nothing else, hundreds of them on a screen: written into the page directly, which costs a
 * fraction of what a component does for each while a person scrolls. Columns that stay in sight keep their elements.
 */

import { formatValue } from "../../base/format";
import type { Cell } from "../../data/table";
import { cellWords, UNKNOWN_LABEL } from "./cell";
import { alignsRight, barOf, shareOf, type GridColumn } from "./grid";

export interface PlainCell {
  /** Which column. */
  readonly at: number;
  readonly left: number;
  readonly width: number;
  /** Null: not loaded yet. */
  readonly words: string | null;
  readonly classes: string;
  /** How much of the accent, how long the bar; "" for none. */
  readonly tint: string;
  readonly share: string;
  /** Of the one cell that the keys are in. */
  readonly id: string;
}

/** Under 40 %: text keeps its contrast. */
function tintOf({ look, goal }: GridColumn, value: Cell | undefined, extent: readonly [number, number] | null): string {
  const share = look === "colour" ? shareOf(value, extent) : null;
  return share === null ? "" : `${(4 + 34 * (goal === "min" ? 1 - share : share)).toFixed(1)}%`;
}

function barShare({ look }: GridColumn, value: Cell | undefined, extent: readonly [number, number] | null): string {
  const share = look === "bar" ? barOf(value, extent) : null;
  return share === null ? "" : `${(share * 100).toFixed(1)}%`;
}

/** What a cell looks like; where it stands is for the row to say. */
export function cellLook(
  column: GridColumn,
  value: Cell | undefined,
  extent: readonly [number, number] | null,
): Pick<PlainCell, "words" | "classes" | "tint" | "share"> {
  const tint = tintOf(column, value, extent);
  const share = barShare(column, value, extent);
  const isNumber = typeof value === "number";
  const words =
    value === undefined ? null : column.isMeasured && isNumber ? formatValue(value) : cellWords(value, column.type);
  const classes = `${alignsRight(column) ? " right" : ""}${tint ? " tinted" : ""}${share ? " barred" : ""}${isNumber && !Number.isFinite(value) ? " odd" : ""}${words === null ? " wait" : value === null ? UNKNOWN_CLASS : ""}`;
  return { words, classes, tint, share };
}

/** Drawn as "–", and copied as nothing. */
const UNKNOWN_CLASS = " not-known";
const labelOf = ({ classes }: PlainCell): string | null => (classes.includes(UNKNOWN_CLASS) ? UNKNOWN_LABEL : null);

interface Slot {
  readonly element: HTMLElement;
  readonly text: Text;
  cell: PlainCell;
}

const NOTHING: PlainCell = { at: -1, left: NaN, width: NaN, words: null, classes: "", tint: "", share: "", id: "" };

export class PlainCells {
  /** By column. */
  #slots = new Map<number, Slot>();

  constructor(private readonly parent: HTMLElement) {}

  /** A column that comes into sight takes over the element of one that left. */
  show(cells: readonly PlainCell[]): void {
    const slots = new Map<number, Slot>();
    for (const { at } of cells) {
      const slot = this.#slots.get(at);
      if (!slot) continue;
      slots.set(at, slot);
      this.#slots.delete(at);
    }
    const free = [...this.#slots.values()];
    for (const cell of cells) {
      const slot = slots.get(cell.at) ?? free.pop() ?? this.#made();
      patch(slot, cell);
      slots.set(cell.at, slot);
    }
    for (const { element } of free) element.remove();
    this.#slots = slots;
  }

  #made(): Slot {
    const element = document.createElement("div");
    const text = document.createTextNode("");
    element.append(text);
    element.setAttribute("role", "gridcell");
    this.parent.append(element);
    return { element, text, cell: NOTHING };
  }
}

/** Writes what has changed, and nothing else: to write the same again costs, too. */
function patch(slot: Slot, now: PlainCell): void {
  const { element, text, cell: before } = slot;
  if (before.at !== now.at) element.ariaColIndex = String(now.at + 3);
  if (before.left !== now.left) element.style.left = `${now.left}px`;
  if (before.width !== now.width) element.style.width = `${now.width}px`;
  if (before.words !== now.words) text.data = now.words ?? "";
  if (before.classes !== now.classes || before === NOTHING) {
    element.className = `plain${now.classes}`;
    if (labelOf(before) !== labelOf(now)) element.ariaLabel = labelOf(now);
  }
  if (before.tint !== now.tint) element.style.setProperty("--tint", now.tint);
  if (before.share !== now.share) element.style.setProperty("--share", now.share);
  if (before.id !== now.id) element.id = now.id;
  slot.cell = now;
}
