/** The rows of one run in the server's answer, for a small picture and its best value. */

import type { SeriesBlock } from "../../data/api";
import type { SeriesWish } from "../../data/series";

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

export const tileWish = (tag: string, runs: readonly string[], axis: SeriesWish["axis"] = "step"): SeriesWish => ({
  tag, runs, axis, range: null, width: WIDTH, smoothing: 0, attempts: "latest", columns: [axis === "step" ? "step_last" : "wall_last", "mean", "min", "max", "last"] });

export function rowsOf({ runs, columns }: SeriesBlock, run: string): TileRows {
  const at = runs.indexOf(run);
  const [from, to] = at < 0 ? [0, 0] : [columns.offsets![at]!, columns.offsets![at + 1]!];
  const cut = (name: string): Float64Array => Float64Array.from(columns[name] ? columns[name].slice(from, to) : [], Number);
  return { x: cut(columns.step_last ? "step_last" : "wall_last"), y: cut("mean"), low: cut("min"), high: cut("max"), last: cut("last") };
}
