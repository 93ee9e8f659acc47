/** PointerModel: draws the brush, points at rows and selects them. */

import { viewports, type Polygon } from "$public/charts";
import type { GestureHost } from "./gestures";
import type { Brush } from "./scene/brush";
import type { PictureModel } from "./scene/picture_model.svelte";

interface Position {
  readonly x: number;
  readonly y: number;
}

interface Drawing {
  readonly facet: number;
  readonly type: "box" | "lasso";
  readonly start: Position;
  lasso: Polygon;
  end: Position;
}

export class PointerModel implements GestureHost {
  #drawing: Drawing | null = null;

  constructor(private readonly picture: PictureModel) {}

  startBrush(type: "box" | "lasso", at: Position): void {
    const facet = this.picture.panelAt(at.x, at.y);
    if (facet === null) return;
    this.#drawing = { facet, type, start: at, lasso: { x: [at.x], y: [at.y] }, end: at };
  }

  extendBrush(at: Position): void {
    const drawing = this.#drawing;
    const panel = drawing && this.picture.panels[drawing.facet];
    if (!drawing || !panel) return;
    const inside = {
      x: Math.min(Math.max(at.x, panel.left), panel.right),
      y: Math.min(Math.max(at.y, panel.top), panel.bottom),
    };
    drawing.end = inside;
    drawing.lasso = viewports.extendLasso(drawing.lasso, inside.x, inside.y);
    this.picture.explore.draft = this.#brush(drawing);
  }

  endBrush(): void {
    const brush = this.#drawing && this.#brush(this.#drawing);
    this.#drawing = null;
    if (brush) this.picture.explore.setBrush(brush);
  }

  cancelBrush(): void {
    this.#drawing = null;
    this.picture.explore.draft = null;
  }

  pointAt(at: Position | null): void {
    this.picture.hovered = at && this.picture.rowAt(at.x, at.y);
  }

  /** On a point: selects it. Beside all: removes the brush. */
  click(at: Position): void {
    const { explore } = this.picture;
    const row = this.picture.rowAt(at.x, at.y);
    if (row !== null) explore.model.selectRow(row);
    else if (explore.brush) explore.setBrush(null);
  }

  #brush({ facet, type, start, end, lasso }: Drawing): Brush | null {
    const corners = type === "box" ? { x: [start.x, end.x], y: [start.y, end.y] } : lasso;
    const places = corners.x.map((x, at) => this.picture.fromPixels(facet, x, corners.y[at]!));
    // Two corners would be a box.
    if (places.length < 2 || (type === "lasso" && places.length < 3)) return null;
    const name = this.picture.facets[facet]?.name;
    if (name === undefined || places.includes(null)) return null;
    return { facet: name, x: places.map((place) => place!.x), y: places.map((place) => place!.y) };
  }
}
