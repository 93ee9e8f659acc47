/** ScatterModel: one picture: its camera, how its rows are drawn, what is drawn over them, and what a pointer does. */

import { untrack } from "svelte";
import { Resource } from "$public/core";
import { themeColours, type Point, type Size } from "$public/charts";
import type { PaneModel } from "../pane_model.svelte";
import type { ProjectorModel, Tool } from "../projector_model.svelte";
import type { EmbeddingRef, MetadataColumn } from "../wire";
import { AreaModel } from "./area_model.svelte";
import { boxOf, pixelOf, type Positions } from "./camera";
import { CameraModel } from "./camera_model.svelte";
import { defaultRadiusPx, emphasisOf, hexOf, lighter, paletteOf, radiiOf, stylesOf, type PointStyles } from "./colours";
import type { GestureHost } from "./gestures";
import { animate, isMotionReduced, MAX_MOVING_ROWS, positionsBetween } from "./motion";
import type { MeasureText } from "./overlay/labels";
import { LabelModel } from "./overlay/label_model.svelte";
import {
  boxShapes,
  neighbourShapes,
  ring,
  rings,
  segmentsBetween,
  sequencePairs,
  textShape,
  trailSegments,
} from "./overlay/shapes";
import type { Scene, Shape } from "./overlay/shapes";
import { placeThumbnails, thumbnailAt, type PlacedThumbnail } from "./overlay/thumbnails";
import { nearestRow, nearestTowards, type Direction, type Pickable, type SelectionMode } from "./picking";
import { RowSample } from "./points/row_sample";
import { axisTitles } from "./titles";

const REACH_PX = 12;
/** How much of the picture the sheet of the inspector covers at most, as in Projector.svelte. */
const SHEET_SHARE = 0.6;
/** A point that would be nearer to the sheet or to the edge, or beyond it, is moved. */
const MARGIN_PX = 24;
const KEY_ZOOM = 1.5;
const MAX_FOUND_RINGS = 2_000;
/** Of more rows, the images are those of a random sample. */
const MAX_IMAGE_ROWS = 50_000;
/** TensorBoard reads both. */
const NEXT_COLUMNS = ["__next__", "__seq_next__"];
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export class ScatterModel implements GestureHost {
  readonly view: CameraModel;
  readonly area: AreaModel;
  readonly labels: LabelModel;
  readonly #next: Resource<{ readonly ref: EmbeddingRef; readonly column: string }, MetadataColumn>;
  /** Where the points are drawn: on their way between two projections. */
  #shown = $state.raw<Positions | null>(null);
  /** The point that the address names. */
  #inspectedFirst: number | null;
  /** The point under the pointer of this picture. */
  pointed = $state<number | null>(null);
  readonly pointedAt = $derived.by((): Point | null =>
    this.pointed === null || !this.pickable
      ? null
      : pixelOf(this.pickable.plane, this.pickable.positions, this.pointed),
  );

  constructor(
    readonly model: ProjectorModel,
    readonly pane: PaneModel,
  ) {
    this.#inspectedFirst = model.inspected;
    this.view = new CameraModel(pane);
    this.area = new AreaModel(() => this.pickable, this.model);
    this.labels = new LabelModel(pane, () => this.#labelled);
    this.#next = new Resource(({ ref, column }, signal) => this.model.requests.column(ref, column, signal));
    $effect(() => {
      const { projection } = pane;
      return untrack(() => this.#moveTo(projection));
    });
    $effect(() => {
      const { inspected, isSheetOpen } = model;
      if (inspected !== null && this.#isReady) untrack(() => this.#reveal(inspected, isSheetOpen));
    });
    $effect(() => {
      if (pane.ref && this.#nextColumn) this.#next.load({ ref: pane.ref, column: this.#nextColumn });
    });
  }

  #moveTo(to: Positions | null): (() => void) | void {
    const from = this.#shown;
    const isSameRows = from !== null && to !== null && from.x.length === to.x.length;
    if (!isSameRows || to.x.length > MAX_MOVING_ROWS || isMotionReduced()) return void (this.#shown = to);
    return animate((share) => (this.#shown = share === 1 ? to : positionsBetween(from, to, share)));
  }

  // How rows are drawn

  readonly #total = $derived.by(() => this.pane.projection?.x.length ?? 0);
  readonly #rowStyles = $derived.by(() => stylesOf(this.pane.colourColumn, this.#total));
  readonly #radii = $derived.by(() =>
    radiiOf(this.pane.sizeColumn, this.#total, defaultRadiusPx(this.pane.projection?.placed ?? 0)),
  );
  readonly emphasis = $derived.by(() =>
    emphasisOf(this.#total, this.model.visible, this.model.drawn ?? this.model.selected),
  );
  readonly #palette = $derived.by(() => {
    const { theme } = this.model.context;
    return paletteOf(this.pane.colourColumn, {
      rgb: (token) => themeColours.rgb(themeColours.token(token, theme)),
      ramp: (count) => themeColours.ramp(themeColours.rampStops(theme), count),
    });
  });
  readonly styles = $derived.by((): PointStyles => ({
    palette: this.#palette,
    styles: this.#rowStyles,
    radii: this.#radii,
    emphasis: this.emphasis,
  }));
  /** Dots grow a little when a person zooms in. */
  readonly radiusFactor = $derived.by(() => Math.min(2.2, Math.max(0.8, this.view.zoom ** 0.3)));
  readonly positions = $derived.by((): Positions | null =>
    this.#shown?.x.length === this.#total ? this.#shown : this.pane.projection,
  );
  readonly rows = $derived.by((): RowSample | null => this.pane.projection && new RowSample(this.pane.projection.x));
  readonly pickable = $derived.by((): Pickable | null => {
    const { positions, emphasis } = this;
    const { plane } = this.view;
    return positions && plane && { positions, plane, emphasis };
  });
  readonly #isReady = $derived.by(() => this.pickable !== null);
  readonly #labelled = $derived.by(() => {
    const { pickable, rows } = this;
    return pickable && rows && { ...pickable, rows, size: this.view.size, zoom: this.view.zoom };
  });
  /** Rows that are drawn. */
  readonly shownCount = $derived.by(() => {
    const { visible } = this.model;
    const all = this.rows?.all;
    if (!visible || !all) return all?.length ?? 0;
    return all.reduce((count, row) => count + (visible[row] ?? 0), 0);
  });

  // What is drawn over them

  readonly #axisTitles = $derived.by(() =>
    this.pane.projection ? axisTitles(this.pane.projection, this.pane.method) : [],
  );
  /** Along the edges; in three dimensions they are at the ends of the axes. */
  readonly titles = $derived.by(() => (this.#box ? [] : this.#axisTitles));
  readonly #box = $derived.by(() => {
    const { positions, pane, model } = this;
    if (pane.method.dims !== 3 || !positions?.z) return null;
    return boxOf(positions, model.visible);
  });

  readonly #nextColumn = $derived.by(
    () => this.pane.info?.columns.find(({ name }) => NEXT_COLUMNS.includes(name.toLowerCase()))?.name ?? "",
  );
  readonly #sequence = $derived.by(() => {
    const column = this.#nextColumn === "" ? null : this.#next.value;
    if (!column) return null;
    return sequencePairs(column.type === "number" ? column.values : Array.from(column.values, (code) => Number(column.names[code] || NaN))); // prettier-ignore
  });
  readonly thumbnails = $derived.by((): readonly PlacedThumbnail[] => {
    const { pickable, rows } = this;
    const entry = this.pane.info?.thumbnails;
    if (!this.model.hasImages || !entry || !pickable || !rows) return [];
    const [styles, { colours }, isColoured] = [this.#rowStyles, this.#palette, this.pane.colourColumn !== null];
    const tintOf = (row: number): string | null => (isColoured ? hexOf(lighter(colours[styles[row]!]!)) : null);
    return placeThumbnails(pickable, rows.take(MAX_IMAGE_ROWS), this.view.size, { entry, tintOf });
  });

  /** Everything over the points, back to front. */
  shapes(measure: MeasureText): Shape[] {
    const { model, pickable } = this;
    if (!pickable) return [];
    const { positions, plane, emphasis } = pickable;
    const scene: Scene = { positions, plane, isShown: (row) => emphasis[row] !== 0 };
    const { inspected, neighbours, hovered, found } = model;
    const box = this.#box ? boxShapes(this.#box, plane, this.#axisTitles) : [];
    return [
      ...box.filter(({ type }) => type === "segments"),
      ...this.#lines(scene),
      ...this.thumbnails.map((one): Shape => ({ type: "thumbnail", ...one })),
      ...box.filter(({ type }) => type === "text"),
      ...(found ? rings(scene, found.subarray(0, MAX_FOUND_RINGS), 5, "--accent", 1.5) : []),
      ...(inspected !== null && neighbours ? neighbourShapes(scene, inspected, neighbours) : []),
      ...(inspected !== null ? rings(scene, [inspected], 6, "--text", 2) : []),
      ...this.labels.placed(measure).map(textShape),
      ...(hovered !== null && hovered !== inspected && hovered < positions.x.length ? [ring(scene, hovered, 6, "--text", 1.5)] : []), // prettier-ignore
      ...(this.area.polygon ? [{ type: "area", polygon: this.area.polygon, isClosed: this.area.type === "box" } as const] : []), // prettier-ignore
    ];
  }

  #lines(scene: Scene): Shape[] {
    const { trails } = this.model;
    const line = { type: "segments", colour: "--text-3", width: 1 } as const;
    return [
      ...(this.#sequence ? [{ ...line, alpha: 0.4, ends: segmentsBetween(scene, this.#sequence) }] : []),
      ...(trails?.pane === this.pane
        ? [{ ...line, alpha: 0.8, ends: trailSegments(scene, trails.rows, trails.steps) }]
        : []),
    ];
  }

  // What a pointer and keys do

  get tool(): Tool {
    return this.model.tool;
  }
  get canTurn(): boolean {
    return this.pane.method.dims === 3;
  }
  get isDrawing(): boolean {
    return this.area.polygon !== null;
  }
  get size(): Size {
    return this.view.size;
  }

  panBy(dx: number, dy: number): void {
    this.view.panBy(dx, dy);
  }

  turnBy(dx: number, dy: number): void {
    this.view.turnBy(dx, dy);
  }

  zoomBy(factor: number, at?: Point): void {
    this.view.zoomBy(factor, at);
  }

  startArea(type: "box" | "lasso", at: Point, mode: SelectionMode): void {
    this.pointAt(null);
    this.area.start(type, at, mode, this.model.selected);
  }

  extendArea(at: Point): void {
    this.area.extend(at);
  }

  endArea(): void {
    const { type } = this.area;
    const rows = this.area.end();
    if (rows) this.model.select(rows, `in the ${type}`);
  }

  cancelArea(): void {
    this.area.cancel();
  }

  pointAt(at: Point | null): void {
    const row = at && this.#rowAt(at);
    if (row === this.pointed) return;
    this.pointed = this.model.hovered = row;
  }

  click(at: Point): void {
    const row = this.#rowAt(at);
    if (row !== null) this.model.open(row);
  }

  /** Moves the picture if the inspected point is out of sight, or below the sheet. The first camera is that of the address. */
  #reveal(row: number, isSheetOpen: boolean): void {
    const isFirst = row === this.#inspectedFirst;
    this.#inspectedFirst = null;
    if (!this.pickable || (isFirst && !isSheetOpen)) return;
    const { width, height } = this.size;
    const bottom = height * (isSheetOpen ? 1 - SHEET_SHARE : 1);
    const { x, y } = pixelOf(this.pickable.plane, this.pickable.positions, row);
    const dx = x < 0 || x > width ? width / 2 - x : 0;
    const dy = y < 0 || y > bottom - (isSheetOpen ? MARGIN_PX : 0) ? bottom / 2 - y : 0;
    if (dx !== 0 || dy !== 0) this.panBy(dx, dy);
  }

  doubleClick(at: Point): void {
    if (this.#rowAt(at) === null) this.view.fit();
  }

  #rowAt(at: Point): number | null {
    return thumbnailAt(this.thumbnails, at) ?? (this.pickable && nearestRow(this.pickable, at, REACH_PX));
  }

  key(key: string): boolean {
    const direction = ARROWS[key];
    if (direction) return this.#walk(direction);
    if (key === "0") this.view.fit();
    else if (key === "+" || key === "=") this.view.zoomBy(KEY_ZOOM);
    else if (key === "-") this.view.zoomBy(1 / KEY_ZOOM);
    else if (key === "Escape" && this.isDrawing) this.area.cancel();
    else return false;
    return true;
  }

  /** Inspects the nearest point in a direction: of the inspected one, or of the middle. */
  #walk(direction: Direction): boolean {
    const { pickable } = this;
    if (!pickable) return false;
    const { inspected } = this.model;
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    const row =
      inspected === null
        ? nearestRow(pickable, middle, Infinity)
        : nearestTowards(pickable, pixelOf(pickable.plane, pickable.positions, inspected), direction, inspected);
    if (row !== null) this.model.inspect(row);
    return true;
  }
}
