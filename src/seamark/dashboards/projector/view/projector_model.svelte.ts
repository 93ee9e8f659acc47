/** ProjectorModel: what both panes share: appearance, filter, selection, the inspected point, the tool and the camera's mode. */

import { createContext } from "svelte";
import { MediaQuery } from "svelte/reactivity";
import { messageOf, Resource, type DashboardContext } from "$public/core";
import { columnQuery } from "$public/tables";
import { AddressValue } from "./address_value.svelte";
import { BookmarksModel } from "./bookmarks/bookmarks_model.svelte";
import { listingNotes } from "./controls/choices";
import { pairsOf, uploadPair } from "./controls/dropped_files";
import { NeighbourModel } from "./inspector/neighbour_model.svelte";
import { ProjectorRequests } from "./load";
import { maskOf } from "./model";
import { PairModel } from "./pair/pair_model.svelte";
import { PaneModel } from "./pane_model.svelte";
import { StepModel, type Trails } from "./steps/step_model.svelte";
import { filtersOfText, rowsOfText, textOfFilters, textOfRows, type RowFilter } from "./row_text";
import { FindModel } from "./toolbar/find_model.svelte";
import type {
  EmbeddingEntry,
  EmbeddingList,
  EmbeddingRef,
  MetadataColumn,
  Metric,
  Neighbours,
  Projection,
  SharedNeighbours,
} from "./wire";

export type Tool = "pan" | "box" | "lasso";
/** As in Projector.svelte. */
const NARROW_PX = 700;
/** Up to this width the controls are a drawer. */
const DRAWER_PX = 1100;
const TOOLS: readonly Tool[] = ["pan", "box", "lasso"];
const METRICS: readonly Metric[] = ["cosine", "euclidean", "dot"];

export class ProjectorModel {
  readonly requests: ProjectorRequests;
  readonly #list: Resource<null, EmbeddingList>;
  readonly #matching: Resource<{ readonly run: string; readonly name: string; readonly query: string }, Uint32Array>;
  readonly a: PaneModel;
  readonly b: PaneModel;
  readonly pair: PairModel;
  readonly along: StepModel;
  readonly neighbourhood: NeighbourModel;
  readonly find: FindModel;
  readonly bookmarks: BookmarksModel;
  readonly #selected: AddressValue<Uint32Array>;
  readonly #filters: AddressValue<readonly RowFilter[]>;

  constructor(readonly context: DashboardContext) {
    this.requests = new ProjectorRequests(context);
    this.#settled.settle(this.query);
    this.#selected = new AddressValue(context, "selected", { encode: textOfRows, decode: rowsOfText });
    this.#filters = new AddressValue(context, "filters", { encode: textOfFilters, decode: filtersOfText });
    this.#list = new Resource((_, signal) => this.requests.list(signal), { pauseMs: 1000 });
    this.#matching = new Resource(({ run, name, query }, signal) =>
      this.requests.matching({ run, name }, query, signal),
    );
    $effect(() => {
      this.#list.load(null, `${context.catalogue.runs.length} ${context.catalogue.changedAt}`);
    });
    this.a = new PaneModel(this, "");
    this.b = new PaneModel(this, "b_");
    this.pair = new PairModel(this);
    this.along = new StepModel(this);
    this.neighbourhood = new NeighbourModel(this);
    this.find = new FindModel(this);
    this.bookmarks = new BookmarksModel(this);
    // A link to a point shows it: without the sheet, a phone would only have a ring.
    if (this.#isNarrow.current && this.inspected !== null) this.drawer = "inspector";
    $effect(() => {
      this.#settled.settle(this.query);
    });
    $effect(() => {
      if (this.#matchRequest && this.#isSettled) this.#matching.load(this.#matchRequest);
    });
  }

  readonly entries = $derived.by((): readonly EmbeddingEntry[] => this.#list.value?.embeddings ?? []);
  readonly isListed = $derived.by(() => this.#list.value !== null || this.#list.error !== "");
  readonly listError = $derived.by(() => this.#list.error);
  /** What the list leaves out, as sentences. */
  readonly listNotes = $derived.by((): readonly string[] => {
    const { value } = this.#list;
    return value ? listingNotes(value, (run) => this.context.runs.styleOf(run).label) : [];
  });

  /** Why a dropped file is not shown. */
  uploadError = $state("");

  /** Sends the files in any order: each one with metadata goes to its vectors. */
  async upload(files: readonly File[]): Promise<void> {
    this.uploadError = "";
    const shown: EmbeddingRef[] = [];
    try {
      for (const dropped of pairsOf(files)) shown.push(await uploadPair(this.requests, dropped));
    } catch (failure) {
      this.uploadError = messageOf(failure);
    }
    this.#list.retry();
    if (shown[0]) this.pane.show(shown[0]);
  }

  // Panes

  readonly isPair = $derived.by(() => this.context.url.get("pair") === "1");
  /** The pane that the controls act on. */
  controlled = $state<"a" | "b">("a");
  readonly pane = $derived.by((): PaneModel => (this.isPair && this.controlled === "b" ? this.b : this.a));

  /** Steps of one embedding by one method are aligned, so both pictures are seen from the same place. */
  readonly isOneCamera = $derived.by((): boolean => {
    const { a, b } = this;
    const isSameEntry = a.entry !== null && a.entry.run === b.entry?.run && a.entry.name === b.entry.name;
    return this.isPair && isSameEntry && a.method.method === b.method.method && a.method.dims === b.method.dims;
  });

  pictureBeside(prefix: string): Projection | null {
    return (prefix === "" ? this.b : this.a).projection;
  }

  setPair(isPair: boolean): void {
    this.context.url.set("pair", isPair ? "1" : undefined, { push: true });
    if (isPair) this.pair.chooseOther();
    else this.controlled = "a";
  }

  // Appearance

  readonly colourBy = $derived.by(() => this.context.url.get("colour") ?? this.firstCategory);
  readonly labelBy = $derived.by(() => this.context.url.get("label") ?? "");
  readonly sizeBy = $derived.by(() => this.context.url.get("size") ?? "");
  /** "": by the column that colours; `column:NAME`, `kmeans`, `density` or `off`. */
  readonly clustersBy = $derived.by(() => this.context.url.get("clusters") ?? "");
  /** How many k-means makes; 0: automatic. */
  readonly clusterCount = $derived.by(() => countOf(this.context.url.get("cluster_count")));
  readonly hasLabels = $derived.by(() => this.context.url.get("labels") !== "0");
  readonly hasImages = $derived.by(() => this.context.url.get("images") === "1");
  readonly dims = $derived.by(() => this.pane.method.dims);
  readonly firstCategory = $derived.by(
    () => this.a.info?.columns.find(({ type, distinct }) => type === "category" && distinct > 1)?.name ?? "",
  );

  get firstColours(): MetadataColumn | null {
    return this.a.colourColumn;
  }

  /** Sets a parameter of the address; "" or the default removes it. */
  set(
    name:
      "colour" | "label" | "size" | "clusters" | "cluster_count" | "labels" | "images" | "query" | "scope" | "table",
    value: string | undefined,
  ): void {
    this.context.url.set(name, value);
  }

  setDims(dims: 2 | 3): void {
    if (dims !== this.a.method.dims) this.a.setMethod({ dims }, { push: true });
    if (this.isPair) this.b.setMethod({ dims });
  }

  readonly tool = $derived.by((): Tool => TOOLS.find((tool) => tool === this.context.url.get("tool")) ?? "pan");

  setTool(tool: Tool): void {
    this.context.url.set("tool", tool === "pan" ? undefined : tool);
  }

  // Filter: a query, and rows that were isolated or hidden, in this order

  readonly query = $derived.by(() => this.context.url.get("query") ?? "");
  /** The methods take only the rows that match the query. */
  readonly isScoped = $derived.by(() => this.query !== "" && this.context.url.get("scope") === "1");
  readonly #settled = new columnQuery.SettledQuery();
  /** What the methods take rows by; "" for all. */
  readonly scopeQuery = $derived.by(() => (this.isScoped ? this.#settled.value : ""));
  /** Of the query as it is typed, so that nothing else counts as its result; half a query is not requested. */
  readonly #matchRequest = $derived.by(() => {
    const { ref } = this.a;
    return ref && this.query !== "" ? { run: ref.run, name: ref.name, query: this.query } : null;
  });
  readonly #isSettled = $derived.by(() => this.#settled.value === this.query);
  readonly queryFailure = $derived.by(() => (this.query === "" || !this.#isSettled ? null : this.#matching.failure));
  readonly #matches = $derived.by(() => this.#matchRequest && this.#matching.valueFor(this.#matchRequest));
  /** Rows that match the query; null without one, and while it loads. */
  readonly matchCount = $derived.by(() => (this.queryFailure ? null : (this.#matches?.length ?? null)));
  /** The shown rows are still those of an earlier query. */
  readonly isMatching = $derived.by(() => this.#matchRequest !== null && !this.#matches && !this.queryFailure);
  /** The rows to show; null for all. While the next query loads, those of the last one for the same embedding stay. */
  readonly #matchingRows = $derived.by((): Uint32Array | null => {
    const [request, { loaded }] = [this.#matchRequest, this.#matching];
    if (!request || this.queryFailure) return null;
    if (this.#matches) return this.#matches;
    return loaded?.request.run === request.run && loaded.request.name === request.name ? loaded.value : null;
  });

  get rowFilters(): readonly RowFilter[] {
    return this.#filters.value;
  }

  set rowFilters(value: readonly RowFilter[]) {
    this.#filters.set(value);
  }

  /** By row of pane A's embedding: 1 if it is shown; null if all are. */
  readonly visible = $derived.by((): Uint8Array | null => {
    const total = this.a.info?.rows;
    const matching = this.#matchingRows;
    if (total === undefined || (!matching && this.rowFilters.length === 0)) return null;
    const mask = matching ? maskOf(matching, total) : new Uint8Array(total).fill(1);
    for (const { type, rows } of this.rowFilters) {
      const own = maskOf(rows, total);
      for (let row = 0; row < total; row += 1) if ((own[row] === 1) === (type === "hide")) mask[row] = 0;
    }
    return mask;
  });

  addFilter(type: RowFilter["type"]): void {
    if (this.selected.length === 0) return;
    this.rowFilters = [...this.rowFilters, { type, rows: this.selected }];
    this.select(new Uint32Array());
  }

  /** Undoes it: what was isolated or hidden is selected again, unless something else is by now. */
  removeFilter(filter: RowFilter): void {
    this.rowFilters = this.rowFilters.filter((other) => other !== filter);
    if (this.selected.length === 0 && filter.cluster === undefined) this.select(filter.rows);
  }

  removeLastFilter(): void {
    const last = this.rowFilters.at(-1);
    if (last) this.removeFilter(last);
  }

  /** Shows all rows that match the query. */
  clearFilters(): void {
    this.rowFilters = [];
  }

  /** Where some points of the controlled pane were at earlier steps, to be drawn as lines; null if they are off. */
  get trails(): Trails | null {
    return this.along.trails;
  }

  // Selection, and the point that is inspected

  readonly selected = $derived.by((): Uint32Array => this.#selected.value);
  /** Why the address does not have the selection or the filters, or not any more. */
  readonly addressProblem = $derived.by(() => this.#selected.problem || this.#filters.problem);
  readonly inspected = $derived.by((): number | null => rowsOfText(this.context.url.get("point"))[0] ?? null);
  /** The rows that the find field matches, to be highlighted; null while nothing is searched for. */
  readonly found = $derived.by((): Uint32Array | null => this.find.rows);
  /** How the rows were selected: "in the lasso", "found". */
  selectedBy = $state("selected");
  /** What a box or lasso would select now; null while none is drawn. */
  drawn = $state.raw<Uint32Array | null>(null);
  /** The point under the pointer, in either pane. */
  hovered = $state<number | null>(null);
  /** Rows to draw on top while the others are dimmed, such as those of the cluster under the pointer. */
  highlighted = $state.raw<Uint32Array | null>(null);
  /** The points that were inspected before. */
  #walked = $state.raw<readonly number[]>([]);
  readonly canGoBack = $derived.by(() => this.#walked.length > 0);

  select(rows: Uint32Array, by = "selected"): void {
    this.#selected.set(rows);
    this.selectedBy = by;
  }

  inspect(row: number | null): void {
    if (this.inspected !== null && row !== null) this.#walked = [...this.#walked, this.inspected].slice(-100);
    this.context.url.set("point", row === null ? undefined : String(row));
  }

  /** On a narrow page controls and inspector are sheets over the picture. */
  drawer = $state<"controls" | "inspector" | null>(null);
  readonly #isNarrow = new MediaQuery(`max-width: ${NARROW_PX}px`);
  readonly #hasDrawer = new MediaQuery(`max-width: ${DRAWER_PX}px`);

  /** Something covers a part of the picture. */
  readonly hasOpenDrawer = $derived.by(
    () =>
      (this.drawer === "controls" && this.#hasDrawer.current) ||
      (this.drawer === "inspector" && this.#isNarrow.current),
  );

  /** The inspector covers the lower part of the picture. */
  readonly isSheetOpen = $derived.by(() => this.#isNarrow.current && this.drawer === "inspector");

  /** Inspects a point that was clicked. */
  open(row: number): void {
    this.inspect(row);
    if (this.#isNarrow.current) this.drawer = "inspector";
  }

  /** Inspects the point that was inspected before. */
  back(): void {
    const row = this.#walked.at(-1);
    if (row === undefined) return;
    this.#walked = this.#walked.slice(0, -1);
    this.context.url.set("point", String(row));
  }

  /** Rows of another embedding mean other things. */
  clearRows(): void {
    this.rowFilters = [];
    this.#walked = [];
    this.select(new Uint32Array());
    this.context.url.set("point", undefined);
  }

  readonly distance = $derived.by(
    (): Metric => METRICS.find((metric) => metric === this.context.url.get("distance")) ?? "cosine",
  );

  setDistance(metric: Metric): void {
    this.context.url.set("distance", metric === "cosine" ? undefined : metric);
  }

  /** Of the inspected point; null while they load. */
  get neighbours(): Neighbours | null {
    return this.neighbourhood.value;
  }

  get shared(): SharedNeighbours | null {
    return this.pair.shared;
  }
}

/** At most as many as the server makes. */
const countOf = (text: string | undefined): number => (/^\d+$/.test(text ?? "") ? Math.min(200, Number(text)) : 0);

export const [getProjectorModel, setProjectorModel] = createContext<ProjectorModel>();
