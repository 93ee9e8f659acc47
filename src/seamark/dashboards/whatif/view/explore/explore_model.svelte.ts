/** ExploreModel: what is along x and y, the facets, the colours, and which rows are selected. All of it in the address. */

import { createContext } from "svelte";
import { format } from "$public/core";
import type { ColumnValues } from "../requests";
import type { WhatIfModel } from "../whatif_model.svelte";
import { nameColours, numberColours, plainColours, truthColours, type RowColours } from "./fields/colours";
import { dimensionOf, stripDimension, type Dimension } from "./fields/dimension";
import { DEFAULT_BINS, facetsOf, type Facet } from "./fields/facets";
import { defaultChoice, fieldsOf, NONE, SCORE, TRUTH, type Field, type FieldChoice } from "./fields/fields";
import { errorShare, judgeBinary, judgeByErrors, meanAbsolute, positives, type Judgement } from "./fields/judge";
import type { SortTerm } from "$public/tables";
import { orderedRows } from "./table/row_order";
import { brushOfText, rowsInBrush, textOfBrush, type Brush } from "./scene/brush";
import { sizesOf } from "./scene/points";

export const VIEWS = ["scatter", "strip", "histogram", "table"] as const;
export type View = (typeof VIEWS)[number];
export type Role = keyof FieldChoice;

export class ExploreModel {
  constructor(readonly model: WhatIfModel) {}

  readonly view = $derived.by((): View => {
    const view = this.model.context.url.get("view") as View | undefined;
    return view && VIEWS.includes(view) ? view : "scatter";
  });

  setView(view: View): void {
    this.model.context.url.set("view", view === "scatter" ? undefined : view, { push: true });
    this.setBrush(null);
  }

  // Fields

  readonly fields = $derived.by((): readonly Field[] => {
    const { info, model, modelB, row } = this.model;
    return info ? fieldsOf(info, { hasModel: model !== null, hasModelB: modelB !== null, hasRow: row !== null }) : [];
  });
  readonly choice = $derived.by((): FieldChoice | null => {
    const { info, context } = this.model;
    if (!info) return null;
    const defaults = defaultChoice(info, this.fields);
    const chosen = (role: Role): string => {
      const id = context.url.get(role);
      return id === undefined || !(id === NONE || this.#field(id)) ? defaults[role] : id;
    };
    return { x: chosen("x"), y: chosen("y"), colour: chosen("colour"), size: chosen("size"), facet: chosen("facet") };
  });

  choose(role: Role, id: string): void {
    const { info, context } = this.model;
    const isDefault = info !== null && defaultChoice(info, this.fields)[role] === id;
    context.url.set(role, isDefault ? undefined : id, { push: true });
    if (role === "x" || role === "y" || role === "facet") this.setBrush(null);
  }

  #field(id: string): Field | undefined {
    return this.fields.find((field) => field.id === id);
  }

  labelOf(id: string): string {
    return this.#field(id)?.label ?? "none";
  }

  column(id: string, modelName?: string): ColumnValues | null {
    if (id === NONE) return null;
    return this.model.column(id === TRUTH ? (this.model.info?.target ?? "") : id, modelName);
  }

  readonly bins = $derived.by(() => {
    const bins = Number(this.model.context.url.get("bins"));
    return Number.isInteger(bins) && bins >= 2 && bins <= 12 ? bins : DEFAULT_BINS;
  });

  setBins(bins: number): void {
    this.model.context.url.set("bins", bins === DEFAULT_BINS ? undefined : String(bins));
  }

  readonly isFacetBinned = $derived.by(() => this.#field(this.choice?.facet ?? NONE)?.isNumber ?? false);

  // What is computed from the columns; null until they are there

  readonly x = $derived.by((): Dimension | null => {
    const { choice, view } = this;
    const { info } = this.model;
    if (!choice || !info) return null;
    const column = this.column(choice.x);
    if (view === "strip" && (choice.x === NONE || column))
      return stripDimension(column, this.labelOf(choice.x), info.rows);
    return column && dimensionOf(column, this.labelOf(choice.x));
  });
  readonly y = $derived.by((): Dimension | null => {
    const column = this.column(this.choice?.y ?? NONE);
    return column && dimensionOf(column, this.labelOf(this.choice!.y));
  });
  /** The same axis for the second model: its scores in place of those of the first. */
  readonly yOfModelB = $derived.by((): Float32Array | null => {
    const { modelB, modelNameB } = this.model;
    const id = this.choice?.y ?? NONE;
    return modelB && id.startsWith(SCORE) ? (this.column(id, modelNameB)?.values as Float32Array | null) : null;
  });

  /** The rows of the slice. */
  readonly rows = $derived.by((): Uint32Array => {
    const { rows, info, hasFilter } = this.model;
    if (hasFilter && !rows) return new Uint32Array();
    return rows ?? Uint32Array.from({ length: info?.rows ?? 0 }, (_, row) => row);
  });
  readonly facets = $derived.by((): readonly Facet[] | null => {
    const id = this.choice?.facet ?? NONE;
    const column = this.column(id);
    return id !== NONE && !column ? null : facetsOf(column, this.rows, this.bins);
  });

  readonly #truths = $derived.by((): Int8Array | null => {
    const { info } = this.model;
    const truth = info?.task === "binary" && info.target !== "" ? this.column(TRUTH) : null;
    return truth && positives(truth, info!.positive);
  });
  /** Null without a truth, without predictions, and for numbers, where nothing is simply wrong. */
  readonly judged = $derived.by((): Judgement | null => {
    const { info, model, threshold, rowThresholds } = this.model;
    if (!info || !model || info.target === "" || info.task === "regression" || info.task === "ranking") return null;
    if (info.task === "binary") {
      const scores = this.column(SCORE);
      return this.#truths && scores && judgeBinary(this.#truths, scores.values, threshold, rowThresholds);
    }
    const errors = this.column("=error");
    return errors && judgeByErrors(errors.values);
  });

  readonly colours = $derived.by((): RowColours | null => {
    const { info, context } = this.model;
    const id = this.choice?.colour ?? NONE;
    if (!info) return null;
    const { theme } = context;
    const column = this.column(id);
    if (id === NONE || !column) return plainColours(info.rows, theme);
    if (id === TRUTH && info.task === "binary") return truthColours(column, this.#classes, theme);
    if (id === "=error" && info.task === "regression")
      return numberColours(column.values.map(Math.abs), "absolute error", theme);
    if (id === "=error" || id === "=correct")
      return nameColours({ type: "category", values: column.values, names: ERROR_NAMES[id] }, theme);
    return column.type === "number"
      ? numberColours(column.values, this.labelOf(id), theme)
      : nameColours(column, theme);
  });
  readonly #classes = $derived.by((): readonly [string, string] => {
    const { positive = "", classes = [] } = this.model.info ?? {};
    return [classes.find((name) => name !== positive) ?? `not ${positive}`, positive];
  });
  readonly sizes = $derived.by((): Uint8Array | null => {
    const column = this.column(this.choice?.size ?? NONE);
    return column && sizesOf(column.values);
  });

  /** "1,391 rows · error 19.5%" */
  facetNote({ rows }: Facet): string {
    return [format.counted(rows.length, "row"), this.#errorNote(rows)].filter((part) => part !== "").join(" · ");
  }

  #errorNote(rows: Uint32Array): string {
    if (this.judged) {
      const share = errorShare(this.judged, rows);
      return share === null ? "" : `error ${(share * 100).toFixed(1)}%`;
    }
    const { info, model } = this.model;
    const errors = info?.task === "regression" && model && info.target ? this.column("=error") : null;
    const mean = errors && meanAbsolute(errors.values, rows);
    return mean === null ? "" : `mean absolute error ${format.value(mean)}`;
  }

  // Selection

  readonly brush = $derived.by((): Brush | null => this.draft ?? brushOfText(this.model.context.url.get("brush")));
  /** While it is being drawn: the address gets what a person has finished. */
  draft = $state.raw<Brush | null>(null);

  setBrush(brush: Brush | null): void {
    this.draft = null;
    this.model.context.url.set("brush", brush ? textOfBrush(brush) : undefined);
  }

  readonly selectedRows = $derived.by((): Uint32Array | null => {
    const { brush, facets, x, y, view } = this;
    if (!brush || !facets || !x || view === "table") return null;
    const upward = view === "histogram" ? null : y;
    return view !== "histogram" && !upward ? null : rowsInBrush(brush, facets, x.positions, upward?.positions ?? null);
  });

  // The table

  readonly sort = $derived.by((): readonly SortTerm[] => {
    const text = this.model.context.url.get("sort") ?? "";
    return text === "" ? [] : [{ id: text.replace(/^-/, ""), descending: text.startsWith("-") }];
  });

  setSort([term]: readonly SortTerm[]): void {
    this.model.context.url.set("sort", term ? (term.descending ? "-" : "") + term.id : undefined);
  }

  /** The rows of the slice, or of the brush, in the order of the table. */
  readonly order = $derived.by((): Uint32Array => {
    const rows = this.selectedRows ?? this.rows;
    const [term] = this.sort;
    const column = term && term.id !== "row" ? this.column(term.id) : null;
    if (!term || (term.id !== "row" && !column)) return rows;
    return orderedRows(rows, column, term.descending);
  });

  /** Set while there is a picture. */
  exportPicture = $state.raw<(() => Promise<Blob>) | null>(null);

  /** Why nothing can be drawn; "" while columns are on their way. */
  readonly error = $derived.by(() => {
    const { choice, model } = this;
    const ids = choice
      ? [choice.x, choice.y, choice.colour, choice.facet].filter((id) => id !== NONE && id !== TRUTH)
      : [];
    return ids.map((id) => model.columnError(id)).find((text) => text !== "") ?? "";
  });
}

const ERROR_NAMES: Readonly<Record<"=error" | "=correct", readonly string[]>> = {
  "=error": ["right", "wrong"],
  "=correct": ["wrong", "right"],
};

export const [getExploreModel, setExploreModel] = createContext<ExploreModel>();
