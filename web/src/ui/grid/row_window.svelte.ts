/** The rows of a long list that are drawn while a person scrolls it. The element that scrolls binds to it. */

import { scrollInto } from "./keys";
import { NOTHING_MOVED, poolSize, reuseAfter, slotOf, visibleRange, type Reuse, type VisibleRange } from "./virtual";

export interface RowList {
  readonly count: number;
  readonly rowPx: number;
  /** Height of a sticky header inside the element that scrolls. */
  readonly headPx?: number;
}

export class RowWindow {
  /** The element that scrolls, and its inner height: to be bound. */
  element = $state.raw<HTMLElement>();
  clientHeight = $state(0);
  scrollTop = $state(0);
  #reuse = $state.raw<Reuse>(NOTHING_MOVED);

  constructor(private readonly list: () => RowList) {}

  readonly rowPx = $derived.by(() => this.list().rowPx);
  readonly count = $derived.by(() => this.list().count);
  /** Of what the rows have. */
  readonly height = $derived.by(() => Math.max(0, this.clientHeight - (this.list().headPx ?? 0)));
  readonly range = $derived.by((): VisibleRange => visibleRange(this.#at(this.scrollTop), this.#reuse.spare));
  // Numbers, so that a scroll by less than a row changes nothing else.
  readonly from = $derived.by(() => this.range.from);
  readonly to = $derived.by(() => this.range.to);
  readonly #pool = $derived.by(() => poolSize(this.height, this.rowPx));
  readonly indices = $derived.by(() =>
    Array.from({ length: Math.max(0, this.to - this.from) }, (_, offset) => this.from + offset),
  );
  /** How many rows Page Up and Page Down move by. */
  readonly page = $derived.by(() => Math.max(1, Math.floor(this.height / this.rowPx) - 1));

  /** The element that draws a row: the key of an `{#each}`. */
  slotOf(index: number): number {
    return slotOf(index, this.#reuse.shift, this.#pool);
  }

  /** For `onscroll`: an event that may come when the element is gone. */
  scroll(scrollTop: number): void {
    if (!this.element) return;
    this.#reuse = reuseAfter(this.#at(scrollTop), this.range, this.#reuse);
    this.scrollTop = scrollTop;
  }

  /** Scrolls as little as needed to show a row. */
  show(index: number): void {
    const { element, rowPx } = this;
    if (element) element.scrollTop = scrollInto(element.scrollTop, this.height, index * rowPx, (index + 1) * rowPx);
  }

  #at(scrollTop: number): { count: number; rowPx: number; scrollTop: number; height: number } {
    return { count: this.count, rowPx: this.rowPx, scrollTop, height: this.height };
  }
}
