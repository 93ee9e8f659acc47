/** Draws the stacked bars of steps on a canvas. */

import { chartAxes, themeColours } from "$public/charts";
import { fontOf } from "../../canvas";
import { inUnit, type TimeUnit } from "../../numbers";
import { PART_STYLES } from "../../parts";
import type { BreakdownPart } from "../../wire";
import { labelledBars, MARGIN, plotWidth, yOf, type BarScale, type PlacedBar, type PlotSize } from "./bars";

export interface BarsPicture {
  readonly bars: readonly PlacedBar[];
  readonly scale: BarScale;
  readonly size: PlotSize;
  readonly unit: TimeUnit;
  readonly meanNs: number | null;
  /** The index of the bar that is hovered or holds the pinned step; -1: none. */
  readonly marked: number;
  /** The only part that is not dimmed. */
  readonly part: BreakdownPart | null;
  readonly theme: string;
}

export function drawBars(context: CanvasRenderingContext2D, picture: BarsPicture): void {
  const draw = new BarsDrawing(context, picture);
  draw.grid();
  draw.marked();
  draw.bars();
  draw.labels();
  draw.mean();
}

class BarsDrawing {
  readonly #family: string;
  readonly #dim: number;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly picture: BarsPicture,
  ) {
    this.#family = this.#token("--font");
    this.#dim = parseFloat(this.#token("--a-dim")) || 0.22;
    context.textBaseline = "middle";
  }

  grid(): void {
    const { context } = this;
    const { scale, size, unit } = this.picture;
    const top = scale.by === "share" ? 100 : scale.top / unit.ns;
    for (const { value, label } of chartAxes.ticks(chartAxes.LINEAR, { from: 0, to: top }, 5)) {
      const y = Math.round(yOf(scale.by === "share" ? value / 100 : value * unit.ns, scale, size)) + 0.5;
      this.#line(MARGIN.left, y, MARGIN.left + plotWidth(size), value === 0 ? "--line-2" : "--grid");
      context.fillStyle = this.#token("--text-3");
      context.font = fontOf(this.#family);
      context.textAlign = "right";
      context.fillText(scale.by === "share" ? `${label}%` : label, MARGIN.left - 6, y);
    }
  }

  marked(): void {
    const { marked, bars, size } = this.picture;
    const placed = bars[marked];
    if (!placed) return;
    this.context.fillStyle = this.#token("--selected");
    const height = size.height - MARGIN.bottom - MARGIN.top + 14;
    this.context.fillRect(placed.x - 5, MARGIN.top - 14, placed.width + 10, height);
  }

  bars(): void {
    const { context } = this;
    const { bars, part } = this.picture;
    const gap = bars.length > 60 ? 0 : 0.6;
    for (const placed of bars) {
      for (const block of placed.blocks) {
        context.globalAlpha = part === null || part === block.part ? 1 : this.#dim;
        context.fillStyle = this.#token(PART_STYLES[block.part].token);
        context.fillRect(placed.x, block.y, placed.width, Math.max(0.6, block.height - gap));
      }
      context.globalAlpha = 1;
      if (placed.whisker) {
        context.fillStyle = this.#token("--text-2");
        context.fillRect(
          placed.x + placed.width / 2 - 0.5,
          placed.whisker[0],
          1,
          placed.whisker[1] - placed.whisker[0],
        );
      }
    }
  }

  labels(): void {
    const { context } = this;
    const { bars, size, marked } = this.picture;
    context.textAlign = "center";
    const shown = new Set(
      labelledBars(
        bars.map(({ bar }) => bar),
        size,
      ),
    );
    bars.forEach((placed, index) => {
      const isMarked = index === marked;
      context.fillStyle = this.#token(isMarked ? "--text" : "--text-3");
      context.font = fontOf(this.#family, 10, isMarked ? 600 : 400);
      const centre = placed.x + placed.width / 2;
      // The label of the marked bar replaces those beside it.
      const hasRoom = isMarked || (shown.has(index) && !this.#isNearMarked(centre, index));
      if (hasRoom) context.fillText(placed.bar.label, centre, size.height - 9);
      const above = isMarked ? this.#numberOf(placed) : bars.length <= 60 ? placed.bar.note : "";
      const top = Math.min(placed.top, placed.whisker?.[0] ?? Infinity);
      if (above) context.fillText(above, centre, Math.max(7, top - 7));
    });
  }

  #isNearMarked(centre: number, index: number): boolean {
    const { bars, marked } = this.picture;
    const other = bars[marked];
    if (!other || index === marked) return false;
    const room = (other.bar.label.length + bars[index]!.bar.label.length) * 3.2 + 6;
    return Math.abs(other.x + other.width / 2 - centre) < room;
  }

  #numberOf({ bar }: PlacedBar): string {
    return this.picture.scale.by === "share" ? "" : inUnit(bar.meanNs, this.picture.unit);
  }

  mean(): void {
    const { context } = this;
    const { meanNs, scale, size } = this.picture;
    if (meanNs === null || scale.by === "share") return;
    context.globalAlpha = 0.55;
    context.setLineDash([2, 3]);
    this.#line(MARGIN.left, Math.round(yOf(meanNs, scale, size)) + 0.5, MARGIN.left + plotWidth(size), "--text");
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  #line(from: number, y: number, to: number, token: string): void {
    const { context } = this;
    context.strokeStyle = this.#token(token);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(from, y);
    context.lineTo(to, y);
    context.stroke();
  }

  #token(name: string): string {
    return themeColours.token(name, this.picture.theme);
  }
}
