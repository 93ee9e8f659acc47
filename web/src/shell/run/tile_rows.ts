/** The rows of one run in the server's answer, for a small picture and its best value. */

import { AS_LOGGED } from "../../base/smoothing";
import type { SeriesBlock } from "../../data/api";
import type { SeriesRequest } from "../../data/series";

/** Pixel columns: sparks are drawn that wide or narrower. */
const WIDTH = 240;

export interface TileRows {
  readonly x: ArrayLike<number>;
  /** What is drawn. */
  readonly y: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  /** The newest of the points behind each row. */
  readonly last: ArrayLike<number>;
}

export const tileRequest = (
  tag: string,
  runs: readonly string[],
  axis: SeriesRequest["axis"] = "step",
): SeriesRequest => ({
  tag,
  runs,
  axis,
  range: null,
  width: WIDTH,
  smoothing: AS_LOGGED,
  attempts: "marked",
  columns: [axis === "step" ? "step_last" : "wall_last", "mean", "min", "max", "last", "attempt", "replaced"],
});

/** The rows that count. */
export function rowsOf(block: SeriesBlock, run: string): TileRows {
  const { counted, to } = boundsOf(block, run);
  return sliceOf(block, counted, to);
}

/** What restarts replaced, attempt by attempt. */
export function replacedOf(block: SeriesBlock, run: string): TileRows[] {
  const { from, counted } = boundsOf(block, run);
  const { attempt } = block.columns;
  const found: TileRows[] = [];
  for (let start = from; start < counted;) {
    let end = start + 1;
    while (end < counted && attempt?.[end] === attempt?.[start]) end += 1;
    found.push(sliceOf(block, start, end));
    start = end;
  }
  return found;
}

/** A run's rows begin with those that were replaced. */
function boundsOf(
  { runs, columns }: SeriesBlock,
  run: string,
): { readonly from: number; readonly counted: number; readonly to: number } {
  const at = runs.indexOf(run);
  const [from, to] = at < 0 ? [0, 0] : [columns.offsets![at]!, columns.offsets![at + 1]!];
  let counted = from;
  while (counted < to && columns.replaced?.[counted]) counted += 1;
  return { from, counted, to };
}

function sliceOf({ columns }: SeriesBlock, from: number, to: number): TileRows {
  const cut = (name: string): Float64Array =>
    Float64Array.from(columns[name] ? columns[name].slice(from, to) : [], Number);
  return {
    x: cut(columns.step_last ? "step_last" : "wall_last"),
    y: cut("mean"),
    low: cut("min"),
    high: cut("max"),
    last: cut("last"),
  };
}
