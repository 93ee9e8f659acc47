/** EditsModel: the changed values of a row, undo and redo, and duplicates with edits of their own, in the address. */

import type { Cell } from "../../wire";
import {
  copiesOfText,
  editsOfText,
  textOfCopies,
  textOfEdits,
  valuesAfter,
  withEdit,
  withValues,
  type Edit,
  type EditedPoint,
  type Values,
} from "./edits";

export interface EditsHost {
  readonly url: { get(name: string): string | undefined; set(name: string, value: string | undefined): void };
  /** The chosen row, and its values in the set. */
  readonly row: () => number | null;
  readonly own: () => Values | null;
  readonly selectRow: (row: number) => void;
}

export class EditsModel {
  /** Edits that were undone, the last one first. */
  #undone = $state.raw<readonly Edit[]>([]);

  constructor(private readonly host: EditsHost) {}

  readonly list = $derived.by((): readonly Edit[] => editsOfText(this.host.url.get("edits")));
  readonly changed = $derived.by((): Values => valuesAfter(this.list, this.host.own() ?? {}));
  readonly isChanged = $derived.by(() => Object.keys(this.changed).length > 0);
  readonly canUndo = $derived.by(() => this.list.length > 0);
  readonly canRedo = $derived.by(() => this.#undone.length > 0);

  valueOf(feature: string): Cell {
    return feature in this.changed ? this.changed[feature]! : (this.host.own()?.[feature] ?? null);
  }

  set(feature: string, value: Cell): void {
    this.#replace(withEdit(this.list, { feature, value }, this.host.own() ?? {}));
  }

  setAll(values: Values): void {
    this.#replace(withValues(this.list, values, this.host.own() ?? {}));
  }

  undo(): void {
    this.goTo(this.list.length - 1);
  }

  redo(): void {
    const [next, ...rest] = this.#undone;
    if (!next) return;
    this.#replace([...this.list, next]);
    this.#undone = rest;
  }

  /** Back to the state after this many edits; the others can be redone. */
  goTo(count: number): void {
    if (count < 0 || count >= this.list.length) return;
    const undone = [...this.list.slice(count), ...this.#undone];
    this.#replace(this.list.slice(0, count));
    this.#undone = undone;
  }

  #replace(edits: readonly Edit[]): void {
    const { url } = this.host;
    const row = this.host.row();
    this.#undone = [];
    if (this.copy !== null && row !== null) {
      url.set("copies", textOfCopies(this.copies.with(this.copy, { row, edits })));
    }
    url.set("edits", textOfEdits(edits));
  }

  // Duplicates

  /** The shown one is among them, with its edits. */
  readonly copies = $derived.by((): readonly EditedPoint[] => copiesOfText(this.host.url.get("copies")));
  /** The index of the shown duplicate; null: the row itself. */
  readonly copy = $derived.by((): number | null => {
    const text = this.host.url.get("copy");
    const index = text === undefined ? NaN : Number(text);
    return Number.isInteger(index) && index >= 0 && index < this.copies.length ? index : null;
  });

  duplicate(): void {
    const row = this.host.row();
    if (row === null) return;
    this.#setCopies([...this.copies, { row, edits: this.list }], this.copies.length);
  }

  showCopy(index: number): void {
    const point = this.copies[index];
    if (!point) return;
    this.host.selectRow(point.row);
    this.#setCopies(this.copies, index);
    this.#replace(point.edits);
  }

  /** The row as it is in the set. */
  showOriginal(): void {
    this.#setCopies(this.copies, null);
    this.#replace([]);
  }

  deleteCopy(): void {
    if (this.copy === null) return;
    this.#setCopies(this.copies.toSpliced(this.copy, 1), null);
    this.#replace([]);
  }

  #setCopies(copies: readonly EditedPoint[], shown: number | null): void {
    this.host.url.set("copies", textOfCopies(copies));
    this.host.url.set("copy", shown === null ? undefined : String(shown));
  }
}
