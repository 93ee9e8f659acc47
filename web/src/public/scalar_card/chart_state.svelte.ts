/** What people set on scalar charts. All of it is in the address, so a copied link shows the same picture. */

import { parseJson } from "../../base/json";
import type { Range } from "../../chart/scale";
import type { Axis } from "../../data/api";
import type { CardState } from "../../ui/board/card_state.svelte";
import type { DashboardContext } from "../plugin";
import { fieldsOf, range, viewOf, type CardView } from "./card_views";

export class ScalarChartState {
  constructor(
    private readonly context: Pick<DashboardContext, "url" | "settings">,
    private readonly cards: CardState,
  ) {}

  /** Of all charts along x, while they are linked. */
  readonly zoom = $derived.by(() => parseRange(this.context.url.get("zoom")));
  /** The steps between which the table computes. */
  readonly selection = $derived.by(() => parseRange(this.context.url.get("select")));

  /** The charts on the page, for what the toolbar says of all of them. */
  readonly models = new Set<{ readonly weights: readonly number[] }>();

  viewOf(card: string): CardView {
    return viewOf(this.cards.of(card));
  }

  change(card: string, change: Partial<CardView>): void {
    this.cards.change(card, fieldsOf(change));
  }

  toggleLogY(card: string): void {
    const now = this.viewOf(card).yScale ?? this.context.settings.yScale;
    this.change(card, { yScale: now === "log" ? "linear" : "log" });
  }

  /** Another axis has other units, so it removes every limit along x. */
  setAxis(axis: Axis): void {
    const { settings } = this.context;
    if (axis === settings.axis) return;
    settings.axis = axis;
    this.cards.clear("x");
    this.setZoom(null);
    this.select(null);
  }

  setZoom(zoom: Range | null): void {
    this.context.url.set("zoom", rangeText(zoom));
  }

  select(selection: Range | null): void {
    this.context.url.set("select", rangeText(selection));
  }
}

const rangeText = (ends: Range | null): string | undefined => (ends ? JSON.stringify([ends.from, ends.to]) : undefined);

function parseRange(text: string | undefined): Range | null {
  const ends = parseJson(text);
  // One step alone is a selection as well.
  if (Array.isArray(ends) && ends[0] === ends[1] && Number.isFinite(ends[0]))
    return { from: ends[0] as number, to: ends[0] as number };
  const found = range(ends);
  return found && found.from !== null && found.to !== null ? { from: found.from, to: found.to } : null;
}
