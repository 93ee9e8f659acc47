/** Clusters of rows: from a column of the metadata or from the server, their trust, their order and their rows. */

import { format, tagNames } from "$public/core";
import type { ClusterEntry, Clusters, MetadataColumn } from "../wire";

/** A plane keeps 0.8 to 0.9 of most data by principal components; a random picture has 0.5. */
const LOW_TRUST_PERCENT = 80;

/** Whether a cluster's trust is marked: the picture tears its neighbourhoods apart. Compares what is shown, two digits. */
export const isLowTrust = (trust: number | null): boolean =>
  trust !== null && Math.round(100 * trust) < LOW_TRUST_PERCENT;

/** The names of a category as clusters, with the same codes, so that both have the same colours. */
export function clustersOfColumn(column: MetadataColumn, title: string): Clusters {
  const codes = column.values as Int32Array;
  const points = new Array<number>(column.names.length).fill(0);
  for (const code of codes) if (code >= 0) points[code]! += 1;
  const clusters = column.names.map((name, code) => ({ name, points: points[code]!, share: 1, trust: null }));
  return { clusters, codes, method: `The values of the column ${title}.` };
}

/** The clusters with the number of their shown points; `visible` null: all are. */
export function countedClusters(clusters: Clusters, visible: Uint8Array | null): Clusters {
  if (!visible) return clusters;
  const points = new Array<number>(clusters.clusters.length).fill(0);
  clusters.codes.forEach((code, row) => {
    if (code >= 0 && code < points.length && visible[row] === 1) points[code]! += 1;
  });
  return { ...clusters, clusters: clusters.clusters.map((entry, code) => ({ ...entry, points: points[code]! })) };
}

/** Shown rows that are in no cluster. */
export const countNone = (codes: Int32Array, visible: Uint8Array | null): number =>
  codes.reduce((count, code, row) => count + Number(code < 0 && (!visible || visible[row] === 1)), 0);

/** The trustworthiness of the picture by cluster: the mean over its rows; null where it is not known. */
export function trustByCluster(codes: Int32Array, trust: Float32Array, count: number): (number | null)[] {
  const sums = new Float64Array(count);
  const known = new Float64Array(count);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row]!;
    const value = trust[row]!;
    if (code < 0 || code >= count || Number.isNaN(value)) continue;
    sums[code]! += value;
    known[code]! += 1;
  }
  return Array.from(sums, (sum, code) => (known[code]! > 0 ? sum / known[code]! : null));
}

/** Of what is known; NaN if nothing is. */
export function meanOf(values: Float32Array): number {
  let [sum, known] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    known += 1;
  }
  return sum / known;
}

/** The rows that have the code, in order. */
export function rowsOfCluster(codes: Int32Array, code: number): Uint32Array {
  let count = 0;
  for (const one of codes) if (one === code) count += 1;
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < codes.length; row += 1) if (codes[row] === code) rows[at++] = row;
  return rows;
}

export type ClusterSort = "name" | "points" | "trust";

/** Numbers of classes are looked for by their number, others by their size. */
export const firstSort = ({ clusters }: Clusters): ClusterSort =>
  clusters.every(({ name }) => /^\d+$/.test(name)) ? "name" : "points";

export interface ClusterRow extends ClusterEntry {
  /** The position in `Clusters.clusters`, which is the code of its rows. */
  readonly code: number;
}

/** The clusters in the order of a column: names from A to Z, most points first, least trust first; `isReversed` turns it round. */
export function sortedClusters(
  { clusters }: Clusters,
  trust: readonly (number | null)[] | null,
  sort: ClusterSort,
  isReversed = false,
): ClusterRow[] {
  const rows = clusters.map((entry, code) => ({ ...entry, code, trust: trust?.[code] ?? entry.trust }));
  const turn = isReversed ? -1 : 1;
  const compare: Record<ClusterSort, (a: ClusterRow, b: ClusterRow) => number> = {
    name: (a, b) => turn * tagNames.compare(a.name, b.name),
    points: (a, b) => turn * (b.points - a.points),
    // What is not known is last in both directions.
    trust: (a, b) =>
      a.trust === null || b.trust === null
        ? Number(a.trust === null) - Number(b.trust === null)
        : turn * (a.trust - b.trust),
  };
  return rows.toSorted(compare[sort]);
}

const COLUMN = "column:";
const WORDS: Readonly<Record<string, string>> = { kmeans: "k-means", density: "density" };

/** "20 by superclass", "12 by k-means". */
export function clustersTitle(count: number, by: string): string {
  const name = by.startsWith(COLUMN) ? by.slice(COLUMN.length) : (WORDS[by] ?? by);
  return `${format.count(count)} by ${name}`;
}

/** The column whose values are the clusters; "" if they are computed. */
export const columnOfClusters = (by: string): string => (by.startsWith(COLUMN) ? by.slice(COLUMN.length) : "");
