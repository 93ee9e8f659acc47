/** LabelModel: the labels of one picture: names of clusters and classes, and of points that were chosen while it was still. */

import { Resource } from "$public/core";
import type { Size } from "$public/charts";
import type { PaneModel } from "../../pane_model.svelte";
import type { EmbeddingRef, MetadataColumn } from "../../wire";
import { pixelOf, type Plane, type Positions } from "../camera";
import { HIDDEN } from "../colours";
import type { RowSample } from "../points/row_sample";
import { RowTexts } from "../row_texts.svelte";
import { extremeRows, groupTexts, labelRows, largestRows, placeTexts, pointLabelLimit, shortened } from "./labels";
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
/** From there on a group may be partly out of view. */
const ZOOMED_IN = 1.3;
const FREQUENCY = /^(?:counts?|freq(?:uency|uencies)?|occurrences|weight|importance)$/i;
/** So many of the largest rows are looked at for each label: several may lie in one cell. */
const CELLS_OF_A_LABEL = 4;
/** On a phone only clusters are named. */
const NARROW_PX = 480;

export class LabelModel {
  readonly #column: Resource<{ readonly ref: EmbeddingRef; readonly column: string }, MetadataColumn>;
  #pointRows = $state.raw<readonly number[]>([]);
  readonly #weight: Resource<{ readonly ref: EmbeddingRef; readonly column: string }, MetadataColumn>;
  /** Of a picture that is zoomed in: where the rows in view of each group are; null shows the groups as a whole. */
  #groupsInView = $state.raw<{ readonly clusters: GroupPosition[]; readonly classes: GroupPosition[] } | null>(null);

  constructor(
    private readonly pane: PaneModel,
    private readonly picture: () => LabelledPicture | null,
  ) {
    this.#column = new Resource(({ ref, column }, signal) => pane.model.requests.column(ref, column, signal));
    this.#weight = new Resource(({ ref, column }, signal) => pane.model.requests.column(ref, column, signal));
    $effect(() => {
      if (pane.ref && this.#weightName && this.#mayLabelPoints) this.#weight.load({ ref: pane.ref, column: this.#weightName }); // prettier-ignore
    });
    $effect(() => {
      const { ref, labelColumnName } = pane;
      if (ref && this.#hasClasses && labelColumnName !== pane.colourColumnName)
        this.#column.load({ ref, column: labelColumnName });
    });
    $effect(() => {
      const shown = picture();
      const { texts } = this;
      void this.#weights;
      if (!shown || !texts || !pane.model.hasLabels) {
        [this.#pointRows, this.#groupsInView] = [[], null];
        return;
      }
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
  readonly #mayLabelPoints = $derived.by(() => this.pane.model.hasLabels && !this.#hasClasses);
  /** The column by which some points matter more than others: that of the sizes, or how frequent a word is. */
  readonly #weightName = $derived.by(() => {
    const { sizeColumnName, info } = this.pane;
    const counts = info?.columns.find(({ name, type }) => type === "number" && FREQUENCY.test(name));
    return sizeColumnName || (counts?.name ?? "");
  });
  readonly #weights = $derived.by(() => {
    const { loaded } = this.#weight;
    const isWanted = loaded?.request.column === this.#weightName && loaded.request.ref.run === this.pane.ref?.run && loaded.request.ref.name === this.pane.ref.name; // prettier-ignore
    return isWanted && loaded.value.type === "number" ? loaded.value.values : null;
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
        : groupTexts(
            this.#groupsInView?.classes ?? this.#classGroups,
            this.#classes?.names ?? [],
            shown.plane,
            "class",
          );
    return [
      ...groupTexts(this.#groupsInView?.clusters ?? this.#clusterGroups, names, shown.plane, "cluster"),
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
    this.#groupsInView = shown.zoom < ZOOMED_IN ? null : this.#inView(shown);
    const hasGroups = this.#clusterGroups.length + this.#classGroups.length > 0;
    const limit = this.#hasClasses ? 0 : pointLabelLimit(shown.zoom, hasGroups, shown.size);
    const rows = labelRows(limit > 0 ? this.#candidates(shown, limit) : [], shown, shown.size, limit);
    texts.want([...(this.pane.model.found ?? []).slice(0, MAX_FOUND_LABELS), ...rows]);
    this.#pointRows = rows;
  }

  /** Outermost points, then those that matter most, then random ones. */
  #candidates(shown: LabelledPicture, limit: number): number[] {
    const sample = shown.rows.first(CANDIDATE_ROWS);
    const extremes = extremeRows(sample, shown, shown.size);
    const largest = this.#weights ? largestRows(sample, this.#weights, CELLS_OF_A_LABEL * limit) : [];
    // One after the other: where the limit is low, both have their share.
    const first = extremes.flatMap((row, at) => (largest[at] === undefined ? [row] : [row, largest[at]]));
    return [...new Set([...first, ...largest, ...sample])];
  }

  #inView({ positions, plane, size }: LabelledPicture): {
    readonly clusters: GroupPosition[];
    readonly classes: GroupPosition[];
  } {
    const { clusters } = this.pane;
    const isInView = (row: number): boolean => {
      if (!this.#isShown(row)) return false;
      const { x, y } = pixelOf(plane, positions, row);
      return x >= 0 && y >= 0 && x <= size.width && y <= size.height;
    };
    const classes = this.#classes;
    return {
      clusters: clusters ? groupPositions(positions, clusters.codes, clusters.clusters.length, isInView) : [],
      classes: classes ? groupPositions(positions, classes.values, classes.names.length, isInView) : [],
    };
  }
}
