/** PaneAnalysis: how well the picture of a pane keeps neighbourhoods, its clusters, outliers and duplicates. */

import { Resource } from "$public/core";
import type { ProjectorRequests } from "../load";
import type {
  Clusters,
  ClustersRequest,
  Duplicates,
  EmbeddingRef,
  MetadataColumn,
  Outliers,
  Projection,
  ProjectionRequest,
  Quality,
} from "../wire";
import { clustersOfColumn, columnOfClusters, trustByCluster } from "./clusters";

/** While a method runs, its picture is judged this often at most. */
const MIN_PAUSE_MS = 3000;

/** What is analysed: the parts of a PaneModel that it takes. */
interface AnalysedPane {
  readonly model: { readonly requests: ProjectorRequests; readonly clustersBy: string; readonly clusterCount: number };
  readonly ref: EmbeddingRef | null;
  readonly projected: ProjectionRequest | null;
  readonly projection: Projection | null;
  readonly metadataColumnName: string;
  readonly metadataColumn: MetadataColumn | null;
}

export class PaneAnalysis {
  readonly #quality: Resource<ProjectionRequest, Quality>;
  readonly #clusters: Resource<ClustersRequest, Clusters>;
  readonly #outliers: Resource<ProjectionRequest, Outliers>;
  readonly #duplicates: Resource<ProjectionRequest, Duplicates>;
  /** What is looked for on request: the embedding that it was requested for. */
  #findingsOf = $state("");

  constructor(private readonly pane: AnalysedPane) {
    const { requests } = pane.model;
    this.#quality = new Resource((request, signal) => requests.quality(request, signal), {
      pauseMs: (tookMs) => Math.max(MIN_PAUSE_MS, 4 * tookMs),
    });
    this.#clusters = new Resource((request, signal) => requests.clusters(request, signal));
    this.#outliers = new Resource((request, signal) => requests.outliers(request, signal));
    this.#duplicates = new Resource((request, signal) => requests.duplicates(request, signal));
    $effect(() => {
      const { projected, projection } = pane;
      if (projected && projection) this.#quality.load(projected, this.#revision);
    });
    $effect(() => {
      if (this.#clustersRequest) this.#clusters.load(this.#clustersRequest);
    });
    $effect(() => {
      const { projected } = pane;
      if (!projected || !this.hasFindings) return;
      this.#outliers.load(projected);
      this.#duplicates.load(projected);
    });
  }

  readonly #revision = $derived.by(() => {
    const { projection } = this.pane;
    return projection ? `${projection.state} ${projection.epoch} ${projection.placed}` : "";
  });
  /** Null until it is known for the picture that is shown, or for an earlier epoch of it. */
  readonly quality = $derived.by((): Quality | null => {
    const { loaded } = this.#quality;
    return loaded && this.#isShown(loaded.request) ? loaded.value : null;
  });
  /** What the quality is of, if it is not the shown picture. */
  readonly qualityNote = $derived.by((): string => {
    const { loaded } = this.#quality;
    if (!this.quality || loaded!.revision === this.#revision) return "";
    const epoch = String(loaded!.revision).split(" ")[1];
    return `Quality of epoch ${epoch}; that of the shown picture is being computed.`;
  });
  readonly qualityError = $derived.by(() => this.#quality.error);

  /** `column:NAME`, `kmeans`, `density` or "". */
  readonly clustersBy = $derived.by((): string => {
    const { model, metadataColumnName, metadataColumn } = this.pane;
    if (model.clustersBy === "off") return "";
    if (model.clustersBy !== "") return model.clustersBy;
    return metadataColumn?.type === "category" ? `column:${metadataColumnName}` : "";
  });
  /** Clusters that the page does not have itself. */
  readonly #computedBy = $derived.by(() => {
    const column = columnOfClusters(this.clustersBy);
    return column !== "" && column === this.pane.metadataColumnName ? "" : this.clustersBy;
  });
  readonly #clustersRequest = $derived.by((): ClustersRequest | null => {
    const [{ projected, model }, by] = [this.pane, this.#computedBy];
    const clusters = model.clusterCount;
    return projected && by ? { ...projected, by, clusters, space: "vectors", label_by: "" } : null;
  });
  readonly clusters = $derived.by((): Clusters | null => {
    const { metadataColumn, metadataColumnName } = this.pane;
    if (this.clustersBy === "") return null;
    if (this.#computedBy === "")
      return metadataColumn?.type === "category" ? clustersOfColumn(metadataColumn, metadataColumnName) : null;
    return this.#clustersRequest && this.#clusters.valueFor(this.#clustersRequest);
  });
  readonly clustersError = $derived.by(() => (this.#computedBy === "" ? "" : this.#clusters.error));
  /** By cluster. */
  readonly trust = $derived.by(() => {
    const { clusters, quality } = this;
    return clusters && quality && trustByCluster(clusters.codes, quality.trust, clusters.clusters.length);
  });

  // Outliers and duplicates

  readonly hasFindings = $derived.by(() => this.#findingsOf !== "" && this.#findingsOf === this.#embedding);
  readonly outliers = $derived.by(() => this.#findings(this.#outliers));
  readonly duplicates = $derived.by(() => this.#findings(this.#duplicates));
  readonly findingsError = $derived.by(() => this.#outliers.error || this.#duplicates.error);

  findOutliers(): void {
    this.#findingsOf = this.#embedding;
  }

  retry(): void {
    for (const resource of [this.#quality, this.#clusters, this.#outliers, this.#duplicates])
      if (resource.error) resource.retry();
  }

  readonly #embedding = $derived.by(() => JSON.stringify(this.pane.ref));

  #findings<Value>(found: Resource<ProjectionRequest, Value>): Value | null {
    const { projected } = this.pane;
    return this.hasFindings && projected ? found.valueFor(projected) : null;
  }

  #isShown(request: ProjectionRequest): boolean {
    return JSON.stringify(request) === JSON.stringify(this.pane.projected);
  }
}
