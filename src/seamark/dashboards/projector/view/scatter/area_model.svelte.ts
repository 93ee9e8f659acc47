/** AreaModel: the box or lasso that a person draws, and the rows inside it. */

import { painting, viewports, type Point, type Polygon } from "$public/charts";
import { areaOf, combined, rowsInside, type Pickable, type SelectionMode } from "./picking";

type AreaType = "box" | "lasso";

export class AreaModel {
  #drawn = $state.raw<{ readonly type: AreaType; readonly polygon: Polygon; readonly mode: SelectionMode } | null>(
    null,
  );
  /** What was selected when the area was begun. */
  #before = new Uint32Array();
  #cancelPreview = (): void => undefined;

  constructor(
    private readonly pickable: () => Pickable | null,
    /** Gets what would be selected now; null while nothing is drawn. */
    private readonly host: { drawn: Uint32Array | null },
  ) {}

  readonly polygon = $derived.by((): Polygon | null => this.#drawn?.polygon ?? null);
  readonly type = $derived.by((): AreaType | null => this.#drawn?.type ?? null);

  start(type: AreaType, at: Point, mode: SelectionMode, selected: Uint32Array): void {
    this.#before = new Uint32Array(selected);
    this.#drawn = { type, mode, polygon: { x: [at.x], y: [at.y] } };
  }

  extend(at: Point): void {
    if (!this.#drawn) return;
    const { type, polygon } = this.#drawn;
    const next = type === "lasso" ? viewports.extendLasso(polygon, at.x, at.y) : boxTo(polygon, at);
    if (next === polygon) return;
    this.#drawn = { ...this.#drawn, polygon: next };
    this.#cancelPreview();
    this.#cancelPreview = painting.schedule(() => (this.host.drawn = this.#rows()));
  }

  /** The selection; null if nothing was drawn. */
  end(): Uint32Array | null {
    const rows = this.#rows();
    this.cancel();
    return rows;
  }

  cancel(): void {
    this.#cancelPreview();
    this.#drawn = this.host.drawn = null;
  }

  #rows(): Uint32Array | null {
    const pickable = this.pickable();
    if (!this.#drawn || !pickable) return null;
    return combined(this.#before, rowsInside(pickable, areaOf(this.#drawn.polygon)), this.#drawn.mode);
  }
}

function boxTo({ x, y }: Polygon, at: Point): Polygon {
  const [left, top] = [x[0]!, y[0]!];
  return { x: [left, at.x, at.x, left], y: [top, top, at.y, at.y] };
}
