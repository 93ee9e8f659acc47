/** Colours that are computed rather than read from the metadata: values of `model.colourBy` that name no column. */

import type { Clusters, MetadataColumn, Quality, SharedNeighbours } from "../wire";

const PREFIX = "computed:";
export const COLOUR_BY_CLUSTER = `${PREFIX}clusters`;
export const COLOUR_BY_LOST = `${PREFIX}lost`;
export const COLOUR_BY_SHARED = `${PREFIX}shared`;

export const COMPUTED_COLOURS: readonly { readonly value: string; readonly title: string }[] = [
  { value: COLOUR_BY_CLUSTER, title: "cluster" },
  { value: COLOUR_BY_LOST, title: "neighbours lost" },
  { value: COLOUR_BY_SHARED, title: "neighbours shared" },
];

export const computedTitle = (value: string): string =>
  COMPUTED_COLOURS.find((colour) => colour.value === value)?.title ?? "";

interface Computed {
  readonly quality: Quality | null;
  readonly clusters: Clusters | null;
  readonly shared: SharedNeighbours | null;
}

/** The colours as a column of the metadata; null if they are not computed yet. */
export function computedColumn(value: string, { quality, clusters, shared }: Computed): MetadataColumn | null {
  if (value === COLOUR_BY_CLUSTER)
    return clusters && { type: "category", values: clusters.codes, names: clusters.clusters.map(({ name }) => name) };
  // The strong end of the scale is where to look: what the picture got wrong.
  if (value === COLOUR_BY_LOST)
    return quality && { type: "number", values: quality.kept.map((share) => 1 - share), names: [] };
  const numbers = value === COLOUR_BY_SHARED ? shared?.shared : undefined;
  return numbers ? { type: "number", values: numbers, names: [] } : null;
}
