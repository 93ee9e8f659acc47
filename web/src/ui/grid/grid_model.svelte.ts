/** The state of a grid: which cells are drawn, where the keys act, what is selected. Its component binds to it. */

import {
  clampWidth,
  columnPool,
  columnsBetween,
  edgesOf,
  stretched,
  type GridColumn,
  type GridProps,
  type Position,
  type RowLook,
} from "./grid";
import { moveCursor, scrollInto, type Cursor } from "./keys";
import { RowWindow } from "./row_window.svelte";
import { nextSort, writeSort } from "./sort";

export const HEADER_PX = 28;
const CHECK_PX = 30;
const MIN_FIRST_PX = 120;
const RESIZE_STEP_PX = 16;

export class GridModel {
  readonly rows: RowWindow;
  /** Of the element that scrolls: to be bound. */
  clientWidth = $state(0);
  #scrollLeft = $state(0);
  #cursor = $state.raw<Cursor>({ row: -1, column: -1 });
  #resizing = $state.raw<{ readonly id: string; readonly widthPx: number } | null>(null);
  /** Where a range that Shift selects begins. */
  #anchor = 0;

  constructor(
    readonly id: string,
    readonly props: GridProps,
    rowPx: number,
  ) {
    this.rows = new RowWindow(() => ({ count: props.source.total, rowPx, headPx: HEADER_PX }));
  }

  readonly canSelect = $derived.by(() => this.props.selected !== undefined && this.props.onselect !== undefined);
  readonly first = $derived.by((): GridColumn => this.#resized(this.props.first));
  /** The width of the part that does not scroll: in a narrow grid the first column leaves half of it to the others. */
  readonly frozenPx = $derived.by(() => {
    const { clientWidth, first, canSelect } = this;
    const limit = clientWidth > 0 ? Math.max(MIN_FIRST_PX, clientWidth / 2) : Infinity;
    return (canSelect ? CHECK_PX : 0) + Math.min(first.widthPx, limit);
  });
  readonly columns = $derived.by((): readonly GridColumn[] =>
    stretched(this.props.columns, this.clientWidth - this.frozenPx).map((column) => this.#resized(column)),
  );
  readonly edges = $derived.by(() => edgesOf(this.columns));
  readonly widthPx = $derived.by(() => this.frozenPx + this.edges[this.columns.length]!);
  readonly #across = $derived.by(() =>
    columnsBetween(this.edges, this.#scrollLeft, this.#scrollLeft + Math.max(0, this.clientWidth - this.frozenPx)),
  );
  // Numbers, so that a scroll by less than a column changes nothing else.
  readonly fromColumn = $derived.by(() => this.#across.from);
  readonly toColumn = $derived.by(() => this.#across.to);
  readonly columnIndices = $derived.by(() =>
    Array.from({ length: this.toColumn - this.fromColumn }, (_, offset) => this.fromColumn + offset),
  );
  readonly columnPool = $derived.by(() => columnPool(this.clientWidth));
  /** The ids of the columns that are drawn. */
  readonly drawnIds = $derived.by((): readonly string[] => [
    this.props.first.id,
    ...this.props.columns.slice(this.fromColumn, this.toColumn).map(({ id }) => id),
  ]);
  /** As text: the same order in a new list is no other order. */
  readonly order = $derived.by(() => writeSort(this.props.sort).join("\0"));
  /** Rows may have become fewer since the keys moved. */
  readonly cursor = $derived.by((): Cursor => ({
    row: Math.min(this.#cursor.row, this.props.source.total - 1),
    column: this.#cursor.column,
  }));
  readonly allSelected = $derived.by((): "true" | "false" | "mixed" => {
    const { selected, source } = this.props;
    if (!selected || selected.size === 0) return "false";
    return source.total > 0 && selected.size >= source.total ? "true" : "mixed";
  });

  /** The column where the keys act, −1 the first; null if they act in another row. Row −1 is the header. */
  activeColumn(row: number): number | null {
    return this.cursor.row === row ? this.cursor.column : null;
  }

  cellId(row: number, column: number): string {
    return `${this.id}-${row}-${column}`;
  }

  isSelected(key: string | undefined): boolean | null {
    return this.canSelect ? key !== undefined && this.props.selected!.has(key) : null;
  }

  lookOf(key: string | undefined): RowLook | undefined {
    return key === undefined ? undefined : this.props.lookOf?.(key);
  }

  /** For `onscroll`. */
  scroll({ scrollTop, scrollLeft }: { readonly scrollTop: number; readonly scrollLeft: number }): void {
    this.rows.scroll(scrollTop);
    this.#scrollLeft = scrollLeft;
  }

  pick(row: number, column: number): void {
    this.#cursor = { row, column };
  }

  click(row: number, column: number): void {
    this.pick(row, column);
    this.#pickRow(row);
  }

  #pickRow(row: number): void {
    const key = this.props.source.keyOf(row);
    if (key !== undefined) this.props.onpick?.(key);
  }

  open(row: number, column: number): void {
    const key = this.props.source.keyOf(row);
    if (key !== undefined) this.props.onopen?.(key, this.#columnAt(column).id, this.#positionOf(row, column));
  }

  /** Selects a row or the opposite; with Shift, all rows from the last one that was toggled. */
  toggle(row: number, withShift: boolean): void {
    const { source, selected, onselect } = this.props;
    const key = source.keyOf(row);
    if (!this.canSelect || key === undefined) return;
    if (withShift) return void this.#selectTo(row);
    this.#anchor = row;
    onselect!([key], !selected!.has(key));
  }

  async toggleAll(): Promise<void> {
    const { source, selected, onselect } = this.props;
    if (this.allSelected === "true") onselect!([...selected!], false);
    else onselect!(await source.keysOf(0, source.total), true);
  }

  sortBy(id: string, joins: boolean): void {
    const column = this.props.columns.find((each) => each.id === id);
    this.props.onsort(nextSort(this.props.sort, id, joins, column?.isDescendingFirst));
  }

  /** While a border is dragged, and once more with `isDone` at the end. */
  resize(id: string, widthPx: number, isDone: boolean): void {
    this.#resizing = isDone ? null : { id, widthPx };
    if (isDone) this.props.onresize!(id, widthPx);
  }

  /** Whether the key was handled. */
  press(event: KeyboardEvent): boolean {
    const { cursor } = this;
    if (event.ctrlKey && event.key === "a" && this.canSelect) void this.toggleAll();
    else if (!(cursor.row < 0 ? this.#pressInHeader(event) : this.#pressInRow(event))) {
      const next = this.#moved(event.key, event.ctrlKey);
      if (!next) return false;
      this.#go(next);
    }
    return true;
  }

  /** Ctrl moves the column, Shift changes its width. */
  #pressInHeader(event: KeyboardEvent): boolean {
    const { columns, onheadmenu, onmove, onresize } = this.props;
    const at = this.cursor.column;
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    const column = this.#columnAt(at);
    if (event.key === "Enter") this.sortBy(column.id, event.shiftKey);
    else if (event.key === " " && this.canSelect) void this.toggleAll();
    else if (isMenuKey(event)) onheadmenu?.(column.id, this.#positionOf(-1, at));
    else if (by !== 0 && event.ctrlKey && onmove && at >= 0) {
      const to = at + by;
      if (to < 0 || to >= columns.length) return true;
      onmove(at, by > 0 ? to + 1 : to);
      this.#go({ row: -1, column: to });
    } else if (by !== 0 && event.shiftKey && onresize)
      onresize(column.id, clampWidth(column.widthPx + by * RESIZE_STEP_PX));
    else return false;
    return true;
  }

  #pressInRow(event: KeyboardEvent): boolean {
    const { row, column } = this.cursor;
    if (event.key === "Enter") this.open(row, column);
    else if (event.key === " " && !this.canSelect) this.#pickRow(row);
    else if (event.key === " ") this.toggle(row, event.shiftKey);
    else if (isMenuKey(event)) {
      const key = this.props.source.keyOf(row);
      if (key !== undefined) this.props.onmenu?.(key, this.#positionOf(row, column));
    } else if (event.shiftKey && this.canSelect && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const next = Math.max(0, this.#moved(event.key, false)!.row);
      this.#go({ row: next, column });
      void this.#selectTo(next);
    } else return false;
    return true;
  }

  #moved(key: string, withCtrl: boolean): Cursor | null {
    const { source, columns } = this.props;
    return moveCursor(
      this.cursor,
      key,
      { rows: source.total, columns: columns.length, page: this.rows.page },
      withCtrl,
    );
  }

  #go(next: Cursor): void {
    this.#cursor = next;
    const { element } = this.rows;
    if (!element) return;
    if (next.row >= 0) this.rows.show(next.row);
    const [start, end] = [this.edges[next.column], this.edges[next.column + 1]];
    if (start !== undefined && end !== undefined)
      element.scrollLeft = scrollInto(element.scrollLeft, this.clientWidth - this.frozenPx, start, end);
  }

  async #selectTo(row: number): Promise<void> {
    const { source, onselect } = this.props;
    onselect!(await source.keysOf(Math.min(this.#anchor, row), Math.max(this.#anchor, row) + 1), true);
  }

  #columnAt(column: number): GridColumn {
    return this.columns[column] ?? this.first;
  }

  #resized(column: GridColumn): GridColumn {
    const resizing = this.#resizing;
    return resizing?.id === column.id ? { ...column, widthPx: resizing.widthPx } : column;
  }

  #positionOf(row: number, column: number): Position {
    const element = document.getElementById(this.cellId(row, column)) ?? this.rows.element!;
    const { left, bottom } = element.getBoundingClientRect();
    return { x: left, y: bottom };
  }
}

const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean => key === "ContextMenu" || (key === "F10" && shiftKey);
