/** PaneModel: one picture: which embedding, at which step, projected how, and the metadata that colour and label it. */

import { parseJson, Resource } from "$public/core";
import { computedColumn } from "./inspector/computed_colours";
import { PaneAnalysis } from "./inspector/pane_analysis.svelte";
import { chooseEmbedding, methodOf, methodText } from "./model";
import type { ProjectorModel } from "./projector_model.svelte";
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
  #projection = $state.raw<{ readonly request: ProjectionRequest; readonly value: Projection } | null>(null);
  /** Why there is no picture. */
  projectionError = $state("");
  isProjecting = $state(false);
  #attempt = $state(0);
  /** Draws the picture for a file; null while there is none. */
  exportPicture = $state.raw<((type: "png" | "svg") => Promise<Blob>) | null>(null);

  /** `prefix` starts the names of the pane's own parameters in the address. */
  constructor(
    readonly model: ProjectorModel,
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
      const { request, info } = this;
      void this.#attempt;
      if (!request || !info) return;
      const stop = new AbortController();
      void this.#follow(request, info, stop.signal);
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
  /** Null while it loads. */
  readonly info = $derived.by((): EmbeddingInfo | null => {
    const { loaded } = this.#info;
    return loaded && loaded.request.run === this.ref?.run && loaded.request.name === this.ref.name
      ? loaded.value
      : null;
  });
  readonly infoError = $derived.by(() => this.#info.error);

  /** `keepsRows`: its rows are those of the present embedding. */
  show(ref: EmbeddingRef, { keepsRows = this.prefix === "b_" } = {}): void {
    const { entry } = this;
    this.#set("run", ref.run || undefined, { push: true });
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
  /** The step that all others are aligned with: the last one. */
  readonly request = $derived.by((): ProjectionRequest | null => {
    const { ref, entry, method, preparation, model } = this;
    if (!ref || !entry) return null;
    const align_to = entry.steps.length > 1 && ref.name !== entry.name ? entry.name : "";
    const query = model.isScoped ? model.query : "";
    return { ...ref, ...preparation, method: { ...method, query }, align_to };
  });
  readonly projection = $derived.by((): Projection | null => {
    const found = this.#projection;
    const isOfEntry = found?.request.run === this.entry?.run && this.info?.rows === found?.value.total;
    return isOfEntry ? (found?.value ?? null) : null;
  });
  /** The request of the picture that is shown, which may be older than `request`. */
  readonly projected = $derived.by((): ProjectionRequest | null =>
    this.projection ? (this.#projection?.request ?? null) : null,
  );

  setMethod(change: Partial<Method>): void {
    this.#set("method", methodText({ ...this.method, ...change }));
  }

  setPreparation(change: Partial<Preparation>): void {
    const next = { ...this.preparation, ...change };
    this.#set("prepare", Object.entries(next).filter(([, isOn]) => isOn).map(([name]) => name).join(",")); // prettier-ignore
  }

  /** Pauses, resumes or restarts a method that runs. */
  async act(action: "pause" | "resume" | "restart"): Promise<void> {
    if (!this.projection) return;
    await this.model.requests.job(this.projection.key, action);
    this.#attempt += 1;
  }

  retry(): void {
    this.#info.retry();
    this.#attempt += 1;
  }

  /** Requests the projection, and again and again while its method runs. */
  async #follow(request: ProjectionRequest, info: EmbeddingInfo, signal: AbortSignal): Promise<void> {
    const { requests } = this.model;
    const take = (value: Projection): void => {
      if (!signal.aborted) this.#projection = { request, value };
    };
    this.isProjecting = true;
    try {
      if (info.rows > SAMPLE_ABOVE && !this.#projection) take(await requests.projection(request, { sample: SAMPLE_ROWS }, signal)); // prettier-ignore
      let found = await requests.projection(request, {}, signal);
      take(found);
      while (found.state === "running" && !signal.aborted) {
        found = await requests.projection(request, { after: found.epoch }, signal);
        take(found);
      }
      if (!signal.aborted) this.projectionError = found.error;
    } catch (failure) {
      if (!signal.aborted) this.projectionError = failure instanceof Error ? failure.message : String(failure);
    }
    if (!signal.aborted) this.isProjecting = false;
  }

  // What colours, labels and sizes the points

  /** The column that the shared setting names, if this embedding has it. */
  readonly colourColumnName = $derived.by(() => this.#known(this.model.colourBy));
  /** The same, or the first category while colours are computed: the clusters are by it. */
  readonly metadataColumnName = $derived.by(() => this.colourColumnName || this.#known(this.model.firstCategory));
  readonly labelColumnName = $derived.by(() => this.#known(this.model.labelBy) || (this.info?.columns[0]?.name ?? ""));
  readonly sizeColumnName = $derived.by(() => this.#known(this.model.sizeBy));
  readonly metadataColumn = $derived.by(() => valueOf(this.#colour, this.ref, this.metadataColumnName));
  readonly colourColumn = $derived.by((): MetadataColumn | null =>
    this.colourColumnName ? this.metadataColumn : computedColumn(this.model.colourBy, this),
  );
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

  /** Where the picture is seen from, as text. */
  readonly cameraText = $derived.by(() => this.#get("camera"));

  setCameraText(text: string | undefined): void {
    this.#set("camera", text);
  }

  #known(name: string): string {
    return this.info?.columns.some((column) => column.name === name) ? name : "";
  }

  #get(name: string): string | undefined {
    return this.model.context.url.get(this.prefix + name);
  }

  #set(name: string, value: string | undefined, options?: { readonly push?: boolean }): void {
    this.model.context.url.set(this.prefix + name, value, options);
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
