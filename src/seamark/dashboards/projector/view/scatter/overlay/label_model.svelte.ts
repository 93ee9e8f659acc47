/** LabelModel: the labels of one picture: names of clusters and classes, and of points that were chosen while it was still. */

import { Resource } from "$public/core";
import type { Size } from "$public/charts";
import type { PaneModel } from "../../pane_model.svelte";
import type { EmbeddingRef, MetadataColumn } from "../../wire";
import { pixelOf, type Plane, type Positions } from "../camera";
import { HIDDEN } from "../colours";
import type { RowSample } from "../points/row_sample";
import { RowTexts } from "../row_texts.svelte";
import { groupTexts, labelRows, placeTexts, pointLabelLimit, shortened } from "./labels";
import type { LabelText, MeasureText, PlacedText } from "./labels";
import { groupPositions, type GroupPosition } from "./medians";

export interface LabelledPicture {
  readonly positions: Positions;
  readonly plane: Plane;
  readonly emphasis: Uint8Array;
  readonly size: Size;
  readonly zoom: number;
  readonly rows: RowSample;
}

const STILL_MS = 120;
const MAX_CLASSES = 200;
const MAX_FOUND_LABELS = 50;
const CANDIDATE_ROWS = 50_000;
/** On a phone only clusters are named. */
const NARROW_PX = 480;

export class LabelModel {
  readonly #column: Resource<{ readonly ref: EmbeddingRef; readonly column: string }, MetadataColumn>;
  #pointRows = $state.raw<readonly number[]>([]);

  constructor(
    private readonly pane: PaneModel,
    private readonly picture: () => LabelledPicture | null,
  ) {
    this.#column = new Resource(({ ref, column }, signal) => pane.model.requests.column(ref, column, signal));
    $effect(() => {
      const { ref, labelColumnName } = pane;
      if (ref && this.#hasClasses && labelColumnName !== pane.colourColumnName)
        this.#column.load({ ref, column: labelColumnName });
    });
    $effect(() => {
      const shown = picture();
      const { texts } = this;
      if (!shown || !texts || !pane.model.hasLabels) return void (this.#pointRows = []);
      const timer = setTimeout(() => this.#choose(shown, texts), STILL_MS);
      return () => clearTimeout(timer);
    });
  }

  readonly #labelEntry = $derived.by(() =>
    this.pane.info?.columns.find(({ name }) => name === this.pane.labelColumnName),
  );
  /** The label column names groups of rows, not single ones. */
  readonly #hasClasses = $derived.by(() => {
    const entry = this.#labelEntry;
    return entry?.type === "category" && entry.distinct > 1 && entry.distinct <= MAX_CLASSES;
  });
  readonly #textsOf = $derived.by(() => JSON.stringify([this.pane.ref, this.pane.labelColumnName]));
  /** Null without metadata. */
  readonly texts = $derived.by((): RowTexts | null => {
    const [ref, column] = JSON.parse(this.#textsOf) as [EmbeddingRef | null, string];
    return ref && column ? new RowTexts(this.pane.model.requests, ref, column) : null;
  });

  readonly #classes = $derived.by((): MetadataColumn | null => {
    const { colourColumn, colourColumnName, labelColumnName } = this.pane;
    if (this.#hasClasses && labelColumnName !== colourColumnName) return this.#column.value;
    const isShort = colourColumn?.type === "category" && colourColumn.names.length <= MAX_CLASSES;
    return isShort && colourColumn.names.length > 1 ? colourColumn : null;
  });
  readonly #isShown = $derived.by(() => {
    const { visible } = this.pane.model;
    return (row: number): boolean => !visible || visible[row] !== 0;
  });
  readonly #classGroups = $derived.by((): GroupPosition[] => {
    const { projection } = this.pane;
    const classes = this.#classes;
    return projection && classes ? groupPositions(projection, classes.values, classes.names.length, this.#isShown) : [];
  });
  readonly #clusterGroups = $derived.by((): GroupPosition[] => {
    const { projection, clusters } = this.pane;
    return projection && clusters
      ? groupPositions(projection, clusters.codes, clusters.clusters.length, this.#isShown)
      : [];
  });

  /** A row in words, as far as its text has arrived. */
  nameOf(row: number): string {
    this.texts?.want([row]);
    return this.texts?.get(row) ?? `Row ${row.toLocaleString("en")}`;
  }

  /** All labels of the picture that fit. */
  placed(measure: MeasureText): PlacedText[] {
    const shown = this.picture();
    if (!shown) return [];
    const { model } = this.pane;
    const texts = [
      ...this.#rowTexts(shown, model.inspected === null ? [] : [model.inspected], "inspected"),
      ...this.#rowTexts(shown, [...(model.found ?? [])].slice(0, MAX_FOUND_LABELS), "found"),
      ...(model.hasLabels ? this.#allTexts(shown) : []),
    ];
    return placeTexts(texts, shown.size, measure);
  }

  #allTexts(shown: LabelledPicture): LabelText[] {
    const { clusters } = this.pane;
    const names = clusters?.clusters.map(({ name }) => name) ?? [];
    const clusterNames = new Set(names);
    const classes =
      shown.size.width < NARROW_PX
        ? []
        : groupTexts(this.#classGroups, this.#classes?.names ?? [], shown.plane, "class");
    return [
      ...groupTexts(this.#clusterGroups, names, shown.plane, "cluster"),
      ...classes.filter(({ text }) => !clusterNames.has(text)),
      ...this.#rowTexts(shown, this.#pointRows, "point"),
    ];
  }

  #rowTexts(
    { positions, plane, emphasis }: LabelledPicture,
    rows: readonly number[],
    rank: LabelText["rank"],
  ): LabelText[] {
    return rows.flatMap((row, at) => {
      if (row >= positions.x.length || emphasis[row] === HIDDEN) return [];
      const text = rank === "inspected" ? this.nameOf(row) : (this.texts?.get(row) ?? "");
      return [{ rank, text: shortened(text), ...pixelOf(plane, positions, row), importance: 1 - at / rows.length }];
    });
  }

  #choose(shown: LabelledPicture, texts: RowTexts): void {
    const hasGroups = this.#clusterGroups.length + this.#classGroups.length > 0;
    const limit = this.#hasClasses ? 0 : pointLabelLimit(shown.zoom, hasGroups);
    const rows = labelRows(shown.rows.first(CANDIDATE_ROWS), shown, shown.size, limit);
    texts.want([...(this.pane.model.found ?? []).slice(0, MAX_FOUND_LABELS), ...rows]);
    this.#pointRows = rows;
  }
}
