/** Facets: the rows of the slice, split by the values of a field; numbers are cut into bins with equally many rows. */

import type { ColumnValues } from "../../requests";
import { binAt, binNames, namesOf, shownNames } from "./dimension";

export interface Facet {
  readonly name: string;
  /** In ascending order. */
  readonly rows: Uint32Array;
}

export const MAX_FACETS = 12;
export const DEFAULT_BINS = 4;

/** Facets without rows are left out; rows whose value is missing are a facet of their own. */
export function facetsOf(column: ColumnValues | null, rows: Uint32Array, bins = DEFAULT_BINS): readonly Facet[] {
  if (column === null) return [{ name: "", rows }];
  const { names, facetOf } = column.type === "number" ? binned(column, rows, bins) : named(column);
  const counts = new Uint32Array(names.length);
  for (const row of rows) counts[facetOf(row)]! += 1;
  const lists = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (const row of rows) {
    const facet = facetOf(row);
    lists[facet]![counts[facet]!++] = row;
  }
  return names.map((name, at) => ({ name, rows: lists[at]! })).filter((facet) => facet.rows.length > 0);
}

interface Split {
  readonly names: readonly string[];
  facetOf(row: number): number;
}

const MISSING = "missing";

function named(column: ColumnValues): Split {
  const names = shownNames(namesOf(column), MAX_FACETS);
  const { values } = column;
  const last = names.length - 1;
  return {
    names: [...names, MISSING],
    // NaN is a missing yes or no.
    facetOf: (row) => (values[row]! >= 0 ? Math.min(values[row]!, last) : names.length),
  };
}

function binned({ values }: ColumnValues, rows: Uint32Array, bins: number): Split {
  const edges = quantileEdges(values, rows, bins);
  const names = binNames(edges);
  return {
    names: [...names, MISSING],
    facetOf: (row) => (Number.isNaN(values[row]!) ? names.length : binAt(edges, values[row]!)),
  };
}

/** The inner edges of bins with equally many rows; fewer where many rows have the same value. */
export function quantileEdges(values: ArrayLike<number>, rows: Uint32Array, bins: number): readonly number[] {
  const sorted = Float32Array.from(rows, (row) => values[row]!)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const edges = Array.from({ length: bins - 1 }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / bins)]!);
  return [...new Set(edges)].filter((edge) => edge > sorted[0]!);
}
