/** What the canvas draws: the visible boxes with their layout, colours and texts, and what a person picked. */

import type { LayoutBox, LayoutRequest, LayoutResult } from "../layout/types";
import type { Legend } from "./legend";
import type { VisibleGraph } from "../wire";
import { textWidth } from "./text";

/** How a box differs from the other graph of a comparison. */
export type Difference = "" | "added" | "removed" | "changed";

export interface Scene {
  /** Names the graph: a scene with another key is shown from its top. */
  readonly key: string;
  readonly graph: VisibleGraph;
  readonly layout: LayoutResult;
  /** By box: "#rrggbb" or a token; "" for the colour of its type. */
  readonly fills: readonly string[];
  /** By box: at the right of its name, such as the number of the overlay. */
  readonly texts: readonly string[];
  readonly selected: string | null;
  /** The box that the keys have reached in search of a path's end. */
  readonly candidate: string | null;
  /** Boxes of the trace, with their distance in hops. */
  readonly trace: ReadonlyMap<string, number>;
  /** By box, for a comparison. */
  readonly differences?: readonly Difference[];
  /** Findings by box id, in words. */
  readonly warnings?: ReadonlyMap<string, string>;
  /** What the colours mean, for pictures of their own. */
  readonly legend?: Legend | null;
  /** The box that was opened or closed last: its top stays where it is. */
  readonly anchor: string | null;
}

export const OP_HEIGHT_PX = 24;
const GROUP_HEIGHT_PX = 24;
const MAX_WIDTH_PX = 320;
/** For the number at the right. It is the same for all overlays, so that no box moves when the overlay changes. */
const OP_TEXT_PX = 60;
const GROUP_TEXT_PX = 116;
const HEADER_TEXT_PX = 150;

/** Sizes depend on names alone. */
export function layoutRequestOf({ boxes, edges }: VisibleGraph, cacheKey: string): LayoutRequest {
  return {
    boxes: boxes.id.map((id, box): LayoutBox => ({
      id,
      parent: boxes.parent[box]!,
      isOpen: boxes.is_open[box]!,
      width: widthOf(boxes, box),
      height: boxes.type[box] === "op" ? OP_HEIGHT_PX : GROUP_HEIGHT_PX,
      isAside: boxes.is_aside[box]!,
    })),
    edges: { source: Int32Array.from(edges.source), target: Int32Array.from(edges.target) },
    cacheKey,
  };
}

function widthOf({ label, type, op, is_open: isOpen }: VisibleGraph["boxes"], box: number): number {
  const isOp = type[box] === "op";
  const name = textWidth(label[box]!, 12, isOp ? 400 : 600);
  if (isOpen[box]) return Math.min(2 * MAX_WIDTH_PX, 34 + name + 8 + textWidth(op[box]!, 11, 400) + HEADER_TEXT_PX);
  const wanted = isOp ? Math.max(88, 16 + name + OP_TEXT_PX) : Math.max(176, 30 + name + GROUP_TEXT_PX);
  return Math.min(MAX_WIDTH_PX, 8 * Math.ceil(wanted / 8));
}

/** The innermost box at a point of the plane; -1 for none. */
export function boxAt({ layout: { rects } }: Scene, x: number, y: number): number {
  for (let box = rects.length / 4 - 1; box >= 0; box -= 1) {
    const [left, top] = [rects[4 * box]!, rects[4 * box + 1]!];
    if (x >= left && y >= top && x <= left + rects[4 * box + 2]! && y <= top + rects[4 * box + 3]!) return box;
  }
  return -1;
}
