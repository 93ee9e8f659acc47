/** PaneHost: what a pane takes from the model that both panes share. */

import type { DashboardContext } from "$public/core";
import type { ProjectorRequests } from "./load";
import type { EmbeddingEntry, MetadataColumn, Projection, SharedNeighbours } from "./wire";

/** Every property is reactive. ProjectorModel has them. */
export interface PaneHost {
  readonly context: DashboardContext;
  readonly requests: ProjectorRequests;
  readonly entries: readonly EmbeddingEntry[];
  readonly isPair: boolean;
  /** Both panes are seen from the same place. */
  readonly isOneCamera: boolean;
  /** The methods take only the rows that match it; "" for all. */
  readonly scopeQuery: string;
  readonly colourBy: string;
  readonly labelBy: string;
  readonly sizeBy: string;
  readonly firstCategory: string;
  /** The column that colours the first pane: a value has one colour in both. */
  readonly firstColours: MetadataColumn | null;
  readonly clustersBy: string;
  readonly clusterCount: number;
  readonly shared: SharedNeighbours | null;
  readonly visible: Uint8Array | null;
  readonly inspected: number | null;
  readonly found: Uint32Array | null;
  readonly hasLabels: boolean;
  /** That of the other pane than the one with this prefix. */
  pictureBeside(prefix: string): Projection | null;
  clearRows(): void;
}
