/**
 * Where the vertices of each row are along x. Row by row, each vertex goes to the weighted mean of its neighbours in the
 * row before, as near as the order and the widths allow: the exact least squares of a row, by merging neighbours that
 * would overlap. Some sweeps down and up make chains straight and spread branches evenly around their source.
 */

import { groupByEnd, type Adjacency } from "./adjacency";

export interface CoordinateInput {
  readonly rows: readonly Int32Array[];
  readonly segments: { readonly upper: Int32Array; readonly lower: Int32Array; readonly weight: Float64Array };
  /** By segment: where it leaves its upper vertex and enters its lower one, from their centres. */
  readonly exit: Float64Array;
  readonly entry: Float64Array;
  readonly width: Float64Array;
  /** The least space between two neighbours of a row. */
  gap(left: number, right: number): number;
}

const MAX_SWEEPS = 15;
const MAX_VISITS = 1_000_000;
/** The last sweeps look up and down, so that the end of a chain pulls as much as its beginning. */
const LAST_SWEEPS = 7;
/** A vertex without neighbours gives way to all others. */
const NO_WEIGHT = 1e-3;

/** The centre of each vertex. */
export function assignCoordinates(input: CoordinateInput): Float64Array {
  const { rows, segments, width } = input;
  const above = groupByEnd(width.length, segments.lower);
  const below = groupByEnd(width.length, segments.upper);
  const x = new Float64Array(width.length);
  const fit = new RowFit(input, x);
  for (const row of rows) fit.placeAround(row, 0);
  const affordable = Math.max(3, Math.floor(MAX_VISITS / (width.length + segments.upper.length + 1)));
  // Odd, so that the last sweep goes down, as people read.
  const sweeps = Math.min(MAX_SWEEPS, affordable - 1 + (affordable % 2));
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const isLast = sweep >= sweeps - LAST_SWEEPS;
    for (let step = 0; step < rows.length; step += 1) {
      const row = rows[isDown ? step : rows.length - 1 - step]!;
      fit.place(row, isDown || isLast ? above : null, !isDown || isLast ? below : null);
    }
  }
  return x;
}

const MAX_STRIP_PX = 80;

/** Branches may end up far from each other: upright strips without any box become narrow. */
export function closeEmptyStrips(x: Float64Array, width: Float64Array): void {
  const order = Array.from(x.keys()).sort((a, b) => x[a]! - width[a]! / 2 - (x[b]! - width[b]! / 2));
  let [end, shift] = [Infinity, 0];
  for (const vertex of order) {
    const [left, right] = [x[vertex]! - width[vertex]! / 2, x[vertex]! + width[vertex]! / 2];
    if (left > end + MAX_STRIP_PX) shift += left - end - MAX_STRIP_PX;
    end = end === Infinity ? right : Math.max(end, right);
    x[vertex]! -= shift;
  }
}

class RowFit {
  /** Blocks of vertices that touch: the sum of weights, the weighted sum, and the end of each. */
  readonly #weights: Float64Array;
  readonly #sums: Float64Array;
  readonly #ends: Int32Array;
  readonly #offsets: Float64Array;

  constructor(
    private readonly input: CoordinateInput,
    private readonly x: Float64Array,
  ) {
    const longest = input.rows.reduce((most, row) => Math.max(most, row.length), 0);
    this.#weights = new Float64Array(longest);
    this.#sums = new Float64Array(longest);
    this.#ends = new Int32Array(longest);
    this.#offsets = new Float64Array(longest);
  }

  placeAround(row: Int32Array, centre: number): void {
    this.#fit(row, () => [centre, 1]);
  }

  /** To the neighbours above, below, or both. */
  place(row: Int32Array, above: Adjacency | null, below: Adjacency | null): void {
    const { segments, entry, exit } = this.input;
    this.#fit(row, (vertex) => {
      let [sum, weight] = [0, 0];
      const pull = ({ start, edges }: Adjacency, others: Int32Array, isUp: boolean): void => {
        for (let at = start[vertex]!; at < start[vertex + 1]!; at += 1) {
          const segment = edges[at]!;
          const aligned = exit[segment]! - entry[segment]!;
          sum += segments.weight[segment]! * (this.x[others[segment]!]! + (isUp ? aligned : -aligned));
          weight += segments.weight[segment]!;
        }
      };
      if (above) pull(above, segments.upper, true);
      if (below) pull(below, segments.lower, false);
      return weight === 0 ? [this.x[vertex]!, NO_WEIGHT] : [sum / weight, weight];
    });
  }

  #fit(row: Int32Array, wanted: (vertex: number) => readonly [centre: number, weight: number]): void {
    const { width, gap } = this.input;
    const [weights, sums, ends, offsets] = [this.#weights, this.#sums, this.#ends, this.#offsets];
    let blocks = 0;
    for (let index = 0; index < row.length; index += 1) {
      const vertex = row[index]!;
      const before = row[index - 1];
      offsets[index] =
        before === undefined ? 0 : offsets[index - 1]! + (width[before]! + width[vertex]!) / 2 + gap(before, vertex);
      const [centre, weight] = wanted(vertex);
      weights[blocks] = weight;
      sums[blocks] = weight * (centre - offsets[index]!);
      ends[blocks] = index + 1;
      blocks += 1;
      while (blocks > 1 && sums[blocks - 2]! / weights[blocks - 2]! > sums[blocks - 1]! / weights[blocks - 1]!) {
        weights[blocks - 2]! += weights[blocks - 1]!;
        sums[blocks - 2]! += sums[blocks - 1]!;
        ends[blocks - 2] = ends[blocks - 1]!;
        blocks -= 1;
      }
    }
    for (let block = 0, index = 0; block < blocks; block += 1)
      for (const at = sums[block]! / weights[block]!; index < ends[block]!; index += 1)
        this.x[row[index]!] = at + offsets[index]!;
  }
}
