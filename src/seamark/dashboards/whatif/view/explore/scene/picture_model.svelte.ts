/** PictureModel: where everything lies in the picture of Explore. A component sets its size. */

import { sortedLists } from "$public/core";
import { chartAxes, PointIndex, type Range } from "$public/charts";
import type { Dimension } from "../fields/dimension";
import type { Facet } from "../fields/facets";
import { SCORE } from "../fields/fields";
import type { ExploreModel } from "../explore_model.svelte";
import { histogramOf, type Histogram } from "./histogram";
import { fromPixel, layoutOf, panelAt, toPixel, xAxisOf, yAxisOf, type Panel, type Size } from "./layout";
import { pixelsOf, type PointPixels } from "./points";

const CHARACTER_PX = 5.6;
const [MIN_GUTTER_PX, MAX_GUTTER_PX] = [34, 96];
const PICK_PX = 8;

export interface ThresholdLine {
  readonly along: "x" | "y";
  readonly value: number;
  readonly label: string;
}

export class PictureModel {
  size = $state.raw<Size>({ width: 0, height: 0 });
  hovered = $state<number | null>(null);
  #index: { readonly points: PointPixels; readonly index: PointIndex } | null = null;

  constructor(readonly explore: ExploreModel) {}

  readonly isHistogram = $derived.by(() => this.explore.view === "histogram");
  readonly facets = $derived.by((): readonly Facet[] => this.explore.facets ?? []);
  readonly x = $derived.by((): Dimension | null => this.explore.x);
  readonly histogram = $derived.by((): Histogram | null =>
    this.isHistogram && this.x ? histogramOf(this.x, this.facets, this.explore.colours) : null,
  );
  /** The vertical axis: the dimension, or the counts of a histogram. */
  readonly upward = $derived.by((): Pick<Dimension, "label" | "range" | "names"> | null =>
    this.isHistogram
      ? this.histogram && { label: "rows", range: this.histogram.range, names: [] }
      : this.explore.y && this.explore.y,
  );
  readonly across = $derived.by((): Range | null => {
    if (!this.histogram) return this.x?.range ?? null;
    return { from: this.histogram.edges[0]!, to: this.histogram.edges.at(-1)! };
  });
  readonly panels = $derived.by((): readonly Panel[] =>
    this.size.width > 0 ? layoutOf(this.facets.length, this.size, this.#gutterPx) : [],
  );
  readonly #gutterPx = $derived.by(() => {
    const { names = [], range } = this.upward ?? {};
    const labels =
      names.length > 0 || !range ? names : chartAxes.ticks(chartAxes.LINEAR, range, 5).map(({ label }) => label);
    const longest = labels.reduce((length, label) => Math.max(length, label.length), 0);
    return Math.min(MAX_GUTTER_PX, Math.max(MIN_GUTTER_PX, Math.ceil(longest * CHARACTER_PX) + 10));
  });

  readonly points = $derived.by((): PointPixels | null => {
    const { x, explore, panels, facets } = this;
    return x && explore.y && !this.isHistogram && panels.length > 0 ? pixelsOf(facets, panels, x, explore.y) : null;
  });
  readonly pointsOfModelB = $derived.by((): PointPixels | null => {
    const { x, explore, panels, facets } = this;
    const positions = explore.yOfModelB;
    if (!x || !explore.y || !positions || this.isHistogram || panels.length === 0) return null;
    return pixelsOf(facets, panels, x, { positions, range: explore.y.range });
  });

  /** The thresholds in force in a facet, where the axis has the score of the positive class. */
  thresholdLines({ rows }: Facet): readonly ThresholdLine[] {
    const { choice, model, judged, view } = this.explore;
    if (!choice || model.info?.task !== "binary" || !judged || rows.length === 0) return [];
    const along = choice.y === SCORE && !this.isHistogram ? "y" : choice.x === SCORE && view !== "strip" ? "x" : null;
    if (!along) return [];
    const thresholds = model.rowThresholds;
    const values = thresholds ? [...new Set(Array.from(rows, (row) => thresholds[row]!))] : [model.threshold];
    const nameOf = (value: number): string =>
      values.length > 1
        ? `${model.thresholdSlices.find((slice) => Math.fround(slice.threshold) === value)?.name ?? ""} `
        : "";
    return values.map((value) => ({ along, value, label: `${nameOf(value)}threshold ${value.toFixed(2)}` }));
  }

  // Pixels

  /** Of values in a panel, and back. */
  axesOf(panel: Panel): { readonly x: ReturnType<typeof xAxisOf>; readonly y: ReturnType<typeof yAxisOf> } | null {
    return this.across && this.upward && { x: xAxisOf(panel, this.across), y: yAxisOf(panel, this.upward.range) };
  }

  toPixels(facet: number, x: number, y: number): { x: number; y: number } | null {
    const panel = this.panels[facet];
    const axes = panel && this.axesOf(panel);
    return axes ? { x: toPixel(axes.x, x), y: toPixel(axes.y, y) } : null;
  }

  fromPixels(facet: number, x: number, y: number): { x: number; y: number } | null {
    const panel = this.panels[facet];
    const axes = panel && this.axesOf(panel);
    return axes ? { x: fromPixel(axes.x, x), y: fromPixel(axes.y, y) } : null;
  }

  panelAt(x: number, y: number): number | null {
    return panelAt(this.panels, x, y);
  }

  /** The facet of a row; −1 if it is not shown. */
  facetOf(row: number): number {
    return this.facets.findIndex(({ rows }) => isIn(rows, row));
  }

  // Picking

  /** Built when it is first needed: not while a panel is being resized. */
  #pickable(): PointIndex | null {
    const { points } = this;
    if (!points) return null;
    if (this.#index?.points !== points) this.#index = { points, index: new PointIndex(points.x, points.y) };
    return this.#index.index;
  }

  rowAt(x: number, y: number): number | null {
    return this.#pickable()?.nearest(x, y, PICK_PX) ?? null;
  }

  /** The nearest row in a direction: what lies ahead counts once, what lies beside three times. */
  rowTowards(row: number, dx: number, dy: number): number | null {
    const { points } = this;
    if (!points) return null;
    let [best, bestAway] = [null as number | null, Infinity];
    const [x, y] = [points.x[row]!, points.y[row]!];
    for (let other = 0; other < points.x.length; other += 1) {
      const [ox, oy] = [points.x[other]! - x, points.y[other]! - y];
      const ahead = ox * dx + oy * dy;
      if (!(ahead > 0.5)) continue;
      const away = ahead + 3 * Math.abs(ox * dy - oy * dx);
      if (away < bestAway) [best, bestAway] = [other, away];
    }
    return best;
  }
}

/** Whether a list in ascending order has the row. */
const isIn = (rows: Uint32Array, row: number): boolean => rows[sortedLists.lowerBound(rows, row)] === row;
