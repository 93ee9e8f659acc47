// The contract of the layout: boxes with sizes in, rectangles and routes out. Pure numbers, so that a worker can run it.

export interface LayoutBox {
  readonly id: string;
  /** Index of the open group around it, or -1. Parents come before their children. */
  readonly parent: number;
  /** An open group; its size comes from its content. */
  readonly isOpen: boolean;
  /** In pixels at zoom 1; for an open group, the least width that its header needs. */
  readonly width: number;
  readonly height: number;
  /** Drawn in a column at the side of its group. */
  readonly isAside: boolean;
}

export interface LayoutRequest {
  readonly boxes: readonly LayoutBox[];
  /** Between boxes that are not open, by index. */
  readonly edges: { readonly source: Int32Array; readonly target: Int32Array };
  /** Changes whenever another graph or another fold is shown; layouts of groups are cached below it. */
  readonly cacheKey: string;
}

export interface LayoutResult {
  /** By box: left, top, width, height, in the plane of the whole graph. y grows downwards. */
  readonly rects: Float64Array;
  /** The points of edge i are pointStarts[i] to pointStarts[i + 1] - 1; x and y of point p are points[2p], points[2p + 1]. */
  readonly pointStarts: Int32Array;
  readonly points: Float64Array;
  /** Of the whole plane, which begins at 0, 0; lanes of edges are inside. */
  readonly width: number;
  readonly height: number;
  /** Groups that were not in the cache. */
  readonly changedGroups: number;
}

/** The header of an open group, and the space around its content, in pixels at zoom 1. */
export const HEADER_PX = 26;
export const PADDING_PX = 16;
