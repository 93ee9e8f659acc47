/** One canvas: keeps its columns, style and view, and draws them. Runs in a worker or, where there is none, in the page. */

import { count, densityBins, developDensity } from "./density";
import { drawDots, drawTriangles } from "./marks";
import { longest, Projection } from "./project";
import { blend, toImageData, emptySpans, trace } from "./raster";
import {
  alphaFor,
  DASHED,
  lineWidthFor,
  modeFor,
  REPLACED,
  REPLACED_ALPHA,
  shownOf,
  type Columns,
  type Style,
  type View,
} from "./scene";
import { DASH, strokeLines, type Canvas2D, type StrokeJob } from "./strokes";

export interface Change {
  readonly columns?: Partial<Columns>;
  readonly style?: Style;
  readonly view?: View;
}

/** Live runs are dotted, and repeated hues dashed, as long as that does not hide more than it tells. */
const MAX_DOTTED = 100;

export class Painter {
  #columns: Columns | undefined;
  #style: Style | undefined;
  #view: View | undefined;
  readonly #pen: Canvas2D;

  constructor(private readonly canvas: HTMLCanvasElement | OffscreenCanvas) {
    this.#pen = canvas.getContext("2d") as Canvas2D;
  }

  apply({ columns, style, view }: Change): void {
    if (columns) this.#columns = { ...this.#columns, ...columns } as Columns;
    if (style) this.#style = style;
    if (view) this.#view = view;
  }

  paint(): void {
    if (!this.#view) return;
    const { w, h, dpr, pad } = this.#view;
    const width = Math.max(1, Math.round((w + 2 * pad) * dpr));
    const height = Math.max(1, Math.round((h + 2 * pad) * dpr));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    } else {
      this.#pen.setTransform(1, 0, 0, 1, 0, 0);
      this.#pen.clearRect(0, 0, width, height);
    }
    if (this.#columns && this.#style) this.#draw(this.#columns, this.#style, this.#view);
  }

  #draw(columns: Columns, style: Style, view: View): void {
    const pen = this.#pen;
    const at = new Projection(columns, view);
    const shown = shownOf(style.flags);
    const highlighted = shown.filter((index) => style.highlight.includes(index));
    const rest = highlighted.length > 0 ? shown.filter((index) => !style.highlight.includes(index)) : shown;
    const mode = modeFor(style.mode, shown.length, rowsOf(columns, shown));
    const inset = Math.round(view.pad * view.dpr);
    const job: StrokeJob = { pen, columns, style, at, dpr: view.dpr };
    if (mode !== "lines") pen.putImageData(rasterise(job, rest, mode), inset, inset);
    pen.setTransform(1, 0, 0, 1, inset, inset);
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, at.width, at.height);
    pen.clip();
    if (mode === "lines") {
      const alpha = highlighted.length > 0 ? style.look.dimAlpha : style.alpha || 1;
      strokeLines(job, rest, { alpha, width: lineWidthFor(style, shown.length), dashes: true });
    }
    strokeLines(job, highlighted, { alpha: 1, width: style.look.focusWidth, dashes: false });
    pen.restore();
    if (style.markers) drawTriangles(job, mode !== "lines");
    drawDots(job, shown.length <= MAX_DOTTED ? shown : highlighted);
  }
}

function rowsOf({ offsets }: Columns, shown: readonly number[]): number {
  let rows = 0;
  for (const index of shown) rows += offsets[index + 1]! - offsets[index]!;
  return rows;
}

/** The lines as pixels, by spans. */
function rasterise(
  { columns, style, at, dpr }: StrokeJob,
  indexes: readonly number[],
  mode: "raster" | "density",
): ImageData {
  const { width, height } = at;
  const picture = new ImageData(width, height);
  const out = new Uint32Array(picture.data.buffer);
  const spans = emptySpans(width);
  const py = new Float32Array(longest(columns.offsets));
  const bins = mode === "density" ? densityBins(width, height) : null;
  const image = new Int32Array(bins ? 0 : width * height);
  const solid = {
    alpha: alphaFor(style, indexes.length),
    thickness: Math.max(1, dpr),
    dash: Math.round(DASH[0] * dpr),
    gap: 0,
    phase: 0,
  };
  const gap = indexes.length <= MAX_DOTTED ? Math.round(DASH[1] * dpr) : 0;
  for (const index of indexes) {
    at.select(index);
    trace(spans, at.px, at.y(columns.curve, py), at.count);
    if (bins) count(bins, height, spans);
    else {
      const flags = style.flags[index]!;
      const alpha = flags & REPLACED ? solid.alpha * REPLACED_ALPHA : solid.alpha;
      blend(image, height, spans, {
        ...solid,
        alpha,
        rgb: style.colours[index]!,
        gap: flags & DASHED ? gap : 0,
        phase: index * 3,
      });
    }
  }
  if (bins) developDensity(bins, width, height, style.look.ramp, out);
  else toImageData(image, width, height, out);
  return picture;
}
