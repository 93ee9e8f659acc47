/** Moving cards of a layout with the pointer: a card is dragged by its head, since a drag in the plot zooms. */

import type { Card, ChartPosition } from "./model";

export class CardDrag {
  #startedInHead = false;
  dragged = $state.raw<Card | null>(null);
  target = $state.raw<{ readonly key: string; readonly after: boolean } | null>(null);

  constructor(private readonly onmove: (from: ChartPosition, to: ChartPosition) => void) {}

  press(event: PointerEvent): void {
    this.#startedInHead = (event.target as Element).closest("header") !== null;
  }

  start(event: DragEvent, card: Card): void {
    if (!this.#startedInHead) return event.preventDefault();
    this.dragged = card;
    event.dataTransfer?.setData("text/plain", card.chart.title);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  }

  over(event: DragEvent, card: Card): void {
    if (!this.dragged) return;
    event.preventDefault();
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    this.target = { key: card.key, after: event.clientX > box.left + box.width / 2 };
  }

  drop(event: DragEvent, { key, position }: Card): void {
    if (!this.dragged) return;
    event.preventDefault();
    if (this.dragged.key !== key)
      this.onmove(this.dragged.position, {
        category: position.category,
        chart: position.chart + (this.target?.after ? 1 : 0),
      });
    this.end();
  }

  end(): void {
    this.dragged = null;
    this.target = null;
  }
}
