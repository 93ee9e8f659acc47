/** PaneModel: one picture: which embedding, at which step, projected how, and the metadata that colour and label it. */

import { untrack } from "svelte";
import { messageOf, parseJson, Resource } from "$public/core";
import { isComplete, shownAxes } from "./controls/method/axes";
import { computedColumn, computedTitle } from "./inspector/computed_colours";
import { PaneAnalysis } from "./inspector/pane_analysis.svelte";
import { changeMethod, chooseEmbedding, defaultLabel, isOf, methodOf, methodText } from "./model";
import { ProjectionCache } from "./projection_cache.svelte";
import type { PaneHost } from "./pane_host";
import { styledLike } from "./scatter/colours";
import type {
  Clusters,
  EmbeddingEntry,
  EmbeddingInfo,
  EmbeddingRef,
  Method,
  MetadataColumn,
  Preparation,
  Projection,
  ProjectionRequest,
  Quality,
  SharedNeighbours,
} from "./wire";

interface ColumnRequest {
  readonly ref: EmbeddingRef;
  readonly column: string;
}

/** Large embeddings are first shown by a sample. */
const SAMPLE_ABOVE = 200_000;
const SAMPLE_ROWS = 50_000;

export class PaneModel {
  readonly #info: Resource<EmbeddingRef, EmbeddingInfo>;
  readonly #colour: Resource<ColumnRequest, MetadataColumn>;
  readonly #size: Resource<ColumnRequest, MetadataColumn>;
  readonly analysis: PaneAnalysis;
  readonly #projections = new ProjectionCache();
  #projection = $state.raw<{ readonly request: ProjectionRequest; readonly value: Projection } | null>(null);
  /** Why there is no picture. */
  projectionError = $state("");
  isProjecting = $state(false);
  #attempt = $state(0);
  /** Draws the picture for a file; null while there is none. */
  exportPicture = $state.raw<((type: "png" | "svg") => Promise<Blob>) | null>(null);

  /** `prefix` starts the names of the pane's own parameters in the address. */
  constructor(
    readonly model: PaneHost,
    private readonly prefix: "" | "b_",
  ) {
    const { requests } = model;
    this.#info = new Resource((ref, signal) => requests.info(ref, signal));
    this.#colour = new Resource(({ ref, column }, signal) => requests.column(ref, column, signal));
    this.#size = new Resource(({ ref, column }, signal) => requests.column(ref, column, signal));
    $effect(() => {
      if (this.ref) this.#info.load(this.ref);
    });
    $effect(() => {
      if (this.ref && this.metadataColumnName) this.#colour.load({ ref: this.ref, column: this.metadataColumnName });
    });
    $effect(() => {
      if (this.ref && this.sizeColumnName) this.#size.load({ ref: this.ref, column: this.sizeColumnName });
    });
    $effect(() => {
      const { request } = this;
      const rows = this.#rows;
      void this.#attempt;
      if (!request || rows === undefined) {
        [this.projectionError, this.isProjecting] = ["", false];
        return;
      }
      const stop = new AbortController();
      void untrack(() => this.#follow(request, rows, stop.signal));
      return () => stop.abort();
    });
    this.analysis = new PaneAnalysis(this);
  }

  // Which embedding

  readonly entry = $derived.by((): EmbeddingEntry | null => {
    const { context, entries } = this.model;
    if (this.prefix === "b_" && !this.model.isPair) return null;
    return chooseEmbedding(entries, {
      run: this.#get("run"),
      name: this.#get("name"),
      focused: context.runs.focused,
      shown: context.runs.shown,
    });
  });
  /** The embedding at the chosen step. */
  readonly ref = $derived.by((): EmbeddingRef | null => {
    const { entry } = this;
    const name = this.#get("name");
    const step = entry?.steps.find((one) => one.name === name);
    return entry && { run: entry.run, name: step?.name ?? entry.name };
  });
  readonly step = $derived.by((): number | null => {
    const { entry, ref } = this;
    return entry?.steps.find(({ name }) => name === ref?.name)?.step ?? null;
  });
  /** Null while it loads; that of another step until the present one's is there. */
  readonly info = $derived.by((): EmbeddingInfo | null => {
    const { entry } = this;
    const { loaded } = this.#info;
    return entry && loaded && isOf(entry, loaded.request) ? loaded.value : null;
  });
  /** Why another embedding is shown than the address names, or "". */
  readonly substitution = $derived.by((): string => {
    const [run, name] = [this.#get("run"), this.#get("name")];
    if (run === undefined || name === undefined || !this.entry || isOf(this.entry, { run, name })) return "";
    return `the link names an embedding that is not there, another one is shown: '${run}', '${name}'`;
  });
  readonly #rows = $derived.by(() => this.info?.rows);
  readonly infoError = $derived.by(() => this.#info.error);

  /** `keepsRows`: its rows are those of the present embedding. */
  show(ref: EmbeddingRef, { keepsRows = this.prefix === "b_", push = true } = {}): void {
    const { entry } = this;
    this.#set("run", ref.run || undefined, { push });
    this.#set("name", ref.name);
    if (!keepsRows && (this.entry?.run !== entry?.run || this.entry?.name !== entry?.name)) this.model.clearRows();
  }

  /** One of the steps of the same embedding: everything else stays. */
  showStep(name: string): void {
    this.#set("run", this.entry?.run || undefined);
    this.#set("name", name);
  }

  // How it is projected

  readonly method = $derived.by((): Method => methodOf(parseJson(this.#get("method") ?? "null")));
  readonly preparation = $derived.by((): Preparation => {
    const given = this.#get("prepare")?.split(",") ?? ["center"];
    return {
      normalize: given.includes("normalize"),
      center: given.includes("center"),
      sphereize: given.includes("sphereize"),
    };
  });
  /** Custom axes whose ends nobody has named yet: there is nothing to request. */
  readonly lacksAxes = $derived.by(
    () => this.method.method === "axes" && !isComplete(shownAxes(this.method.axes, this.method.dims)),
  );
  readonly request = $derived.by(() => (this.ref && !this.lacksAxes ? this.#requestAt(this.ref.name) : null));
  readonly projection = $derived.by((): Projection | null => {
    const found = this.#projection;
    const isOfEntry = found?.request.run === this.entry?.run && this.info?.rows === found?.value.total;
    return isOfEntry && !this.#hasFailed ? (found?.value ?? null) : null;
  });
  /** There is no picture of what is wanted: an older one would have the numbers of something else. */
  readonly #hasFailed = $derived.by(
    () => this.projectionError !== "" && JSON.stringify(this.#projection?.request) !== JSON.stringify(this.request),
  );
  /** The request of the picture that is shown, which may be older than `request`. */
  readonly projected = $derived.by((): ProjectionRequest | null =>
    this.projection ? (this.#projection?.request ?? null) : null,
  );

  /** The picture is that of the present request, and its method has ended. */
  readonly isSettled = $derived.by(
    () =>
      this.projectionError !== "" ||
      (this.projection?.state === "done" && JSON.stringify(this.projected) === JSON.stringify(this.request)),
  );

  /** The request for the same picture at another step; all are aligned with the last one. */
  #requestAt(name: string): ProjectionRequest {
    const { entry, method, preparation, model } = this;
    const align_to = entry && entry.steps.length > 1 && name !== entry.name ? entry.name : "";
    const query = model.scopeQuery;
    return { run: entry?.run ?? "", name, ...preparation, method: { ...method, query }, align_to };
  }

  /** The picture at another step, if it has been loaded. Reactive. */
  cachedAt(name: string): Projection | null {
    return this.#projections.get(this.#requestAt(name));
  }

  /** How many pictures like the shown one can be cached. */
  get cacheCapacity(): number {
    return this.projection ? this.#projections.capacityFor(this.projection) : 0;
  }

  /** Loads the picture at another step ahead of time. A method that runs is not waited for. */
  async prefetch(name: string, signal: AbortSignal): Promise<void> {
    const request = this.#requestAt(name);
    if (this.#projections.get(request)) return;
    try {
      this.#projections.add(request, await this.model.requests.projection(request, {}, signal));
    } catch {
      // Showing the step says why.
    }
  }

  /** `push`: the button Back leads to the present one. */
  setMethod(change: Partial<Method>, options: { readonly push?: boolean } = {}): void {
    this.#set("method", methodText(changeMethod(this.method, change)), options);
  }

  setPreparation(change: Partial<Preparation>): void {
    const next = { ...this.preparation, ...change };
    this.#set("prepare", Object.entries(next).filter(([, isOn]) => isOn).map(([name]) => name).join(",")); // prettier-ignore
  }

  /** Pauses, resumes or restarts a method that runs. */
  async act(action: "pause" | "resume" | "restart"): Promise<void> {
    if (!this.projection) return;
    await this.model.requests.job(this.projection.key, action);
    this.#projections.clear();
    this.#attempt += 1;
  }

  retry(): void {
    this.#info.retry();
    this.#projections.clear();
    this.#attempt += 1;
  }

  /** Shows the projection, and again and again while its method runs. */
  async #follow(request: ProjectionRequest, rows: number, signal: AbortSignal): Promise<void> {
    const { requests } = this.model;
    const show = (value: Projection): void => {
      if (!signal.aborted) this.#projection = { request, value };
    };
    let found = this.#projections.get(request);
    this.projectionError = "";
    this.isProjecting = !found;
    try {
      if (!found && rows > SAMPLE_ABOVE && !this.#projection)
        show(await requests.projection(request, { sample: SAMPLE_ROWS }, signal));
      found ??= await requests.projection(request, { start: this.#startOf(request) }, signal);
      show(found);
      while (found.state === "running" && !signal.aborted) {
        found = await requests.projection(request, { after: found.epoch }, signal);
        show(found);
      }
      this.#projections.add(request, found);
      if (!signal.aborted) this.projectionError = found.error;
    } catch (failure) {
      if (!signal.aborted) this.projectionError = messageOf(failure);
    }
    if (!signal.aborted) this.isProjecting = false;
  }

  /** After a change of its parameters a method goes on from the present picture. */
  #startOf({ run, name, method }: ProjectionRequest): string {
    const before = this.#projection;
    if (before?.request.run !== run || before.request.name !== name) return "";
    return before.request.method.method === method.method ? before.value.key : "";
  }

  // What colours, labels and sizes the points

  /** The column that the shared setting names, if this embedding has it. */
  readonly colourColumnName = $derived.by(() => this.#known(this.model.colourBy));
  /** The same, or the first category while colours are computed: the clusters are by it. */
  readonly metadataColumnName = $derived.by(() => this.colourColumnName || this.#known(this.model.firstCategory));
  readonly labelColumnName = $derived.by(
    () => this.#known(this.model.labelBy) || defaultLabel(this.info?.columns ?? []),
  );
  readonly sizeColumnName = $derived.by(() => this.#known(this.model.sizeBy));
  readonly metadataColumn = $derived.by(() => valueOf(this.#colour, this.ref, this.metadataColumnName));
  readonly colourColumn = $derived.by((): MetadataColumn | null => {
    if (!this.colourColumnName) return computedColumn(this.model.colourBy, this);
    return this.prefix === "b_" ? styledLike(this.metadataColumn, this.model.firstColours) : this.metadataColumn;
  });
  /** What the colours are by, in words; "" without any. */
  readonly colourTitle = $derived.by(() => this.colourColumnName || computedTitle(this.model.colourBy));
  readonly sizeColumn = $derived.by(() => valueOf(this.#size, this.ref, this.sizeColumnName));

  // How true the picture is, and what is in it

  get quality(): Quality | null {
    return this.analysis.quality;
  }

  get clusters(): Clusters | null {
    return this.analysis.clusters;
  }

  /** Between the two panes; null for a single one. */
  get shared(): SharedNeighbours | null {
    return this.model.shared;
  }

  /** Where the picture is seen from, as text. Pictures that are aligned with each other have one camera. */
  readonly #cameraPrefix = $derived.by(() => (this.model.isOneCamera ? "" : this.prefix));
  /** The other picture, if both have one camera. */
  readonly partner = $derived.by(() => (this.model.isOneCamera ? this.model.pictureBeside(this.prefix) : null));
  readonly cameraText = $derived.by(() => this.#get("camera", this.#cameraPrefix));

  setCameraText(text: string | undefined): void {
    this.#set("camera", text, {}, this.#cameraPrefix);
  }

  #known(name: string): string {
    return this.info?.columns.some((column) => column.name === name) ? name : "";
  }

  #get(name: string, prefix: string = this.prefix): string | undefined {
    return this.model.context.url.get(prefix + name);
  }

  #set(
    name: string,
    value: string | undefined,
    options: { readonly push?: boolean } = {},
    prefix: string = this.prefix,
  ): void {
    this.model.context.url.set(prefix + name, value, options);
  }
}

function valueOf(
  { loaded }: Resource<ColumnRequest, MetadataColumn>,
  ref: EmbeddingRef | null,
  column: string,
): MetadataColumn | null {
  const isWanted = loaded?.request.column === column && loaded.request.ref.run === ref?.run;
  return column && isWanted ? loaded.value : null;
}
