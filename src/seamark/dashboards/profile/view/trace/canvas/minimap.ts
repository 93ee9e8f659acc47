/** The minimap: how busy the capture is over time, in four lines. */

import type { Span } from "../../load";
import { BREAKDOWN_PARTS, type BreakdownPart, type TraceWindow } from "../../wire";
import { lengthOf } from "../time/span";
import type { TrackGroup } from "../tracks/groups";
import { PART_OF_ACTIVITY, type TraceColours } from "./colours";
import { MINIMAP_PX } from "./scene";

const LINES: readonly (readonly BreakdownPart[])[] = [
  ["input"],
  ["host_compute", "compile"],
  ["device_compute_16", "device_compute_32", "host_device_copies"],
  ["collectives"],
];
const LINE_OF_PART = BREAKDOWN_PARTS.map((part) => LINES.findIndex((line) => line.includes(part)));
const BIN_PX = 3;
const BAR_PX = 2.4;
const LINE_PX = 9;
const LINE_HEIGHT_PX = 7;
const TOP_PX = 5;
/** A capture may have any number of tracks; the picture of all is that of the first ones. */
const MAX_ROWS = 64;
const ROWS_OF_TRACK = 4;

/** Of each line and bin the busy share, and the part that takes most of it. */
export interface Minimap {
  readonly bins: number;
  readonly busy: readonly Float64Array[];
  readonly part: readonly Uint8Array[];
}

/** The rows to request for it: the outer ones of threads and streams. */
export function minimapRows(groups: readonly TrackGroup[]): number[] {
  const tracks = groups.flatMap((group) => group.tracks);
  const rows = tracks.flatMap(({ first_row, rows: count }) =>
    Array.from({ length: Math.min(count, ROWS_OF_TRACK) }, (_, depth) => first_row + depth),
  );
  return rows.slice(0, MAX_ROWS);
}

export const binsFor = (widthPx: number): number => Math.max(Math.ceil(widthPx / BIN_PX), 1);

/** Nested slices of one line count once: a bin is never busier than 1. */
export function countBusy(slices: TraceWindow, capture: Span, bins: number): Minimap {
  const busy = LINES.map(() => new Float64Array(bins));
  const part = LINES.map(() => new Uint8Array(bins));
  const most = LINES.map(() => new Float64Array(bins));
  const scale = bins / Math.max(lengthOf(capture), 1);
  for (let at = 0; at < slices.row.length; at += 1) {
    const index = PART_OF_ACTIVITY[slices.activity[at]!]!;
    const line = LINE_OF_PART[index]!;
    if (line < 0) continue;
    const from = Math.max((slices.start[at]! - capture.start) * scale, 0);
    const to = Math.min((slices.start[at]! + slices.duration[at]! - capture.start) * scale, bins);
    for (let bin = Math.floor(from); bin < to; bin += 1) {
      const share = Math.min(to, bin + 1) - Math.max(from, bin);
      busy[line]![bin] = Math.min(busy[line]![bin]! + share, 1);
      if (share <= most[line]![bin]!) continue;
      most[line]![bin] = share;
      part[line]![bin] = index;
    }
  }
  return { bins, busy, part };
}

/** Drawn once into a canvas of its own; every frame copies it. */
export function drawMinimap(map: Minimap, width: number, ratio: number, colours: TraceColours): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(MINIMAP_PX * ratio);
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  const binPx = width / map.bins;
  LINES.forEach((_, line) => {
    for (let bin = 0; bin < map.bins; bin += 1) {
      const busy = map.busy[line]![bin]!;
      if (busy < 0.01) continue;
      context.globalAlpha = 0.25 + 0.5 * busy;
      context.fillStyle = colours.edges[map.part[line]![bin]!]!;
      context.fillRect(bin * binPx, TOP_PX + line * LINE_PX, (binPx * BAR_PX) / BIN_PX, LINE_HEIGHT_PX);
    }
  });
  return canvas;
}

const EDGE_REACH_PX = 6;

/** What a drag in the minimap changes: an end of the window, the window as a whole, or it begins elsewhere. */
export function minimapGrip(x: number, fromX: number, toX: number): "start" | "end" | "window" | "outside" {
  const nearStart = Math.abs(x - fromX) <= EDGE_REACH_PX;
  const nearEnd = Math.abs(x - toX) <= EDGE_REACH_PX;
  // In a narrow window both ends are near: then it is moved.
  if (nearStart && nearEnd) return "window";
  if (nearStart) return "start";
  if (nearEnd) return "end";
  return x > fromX && x < toX ? "window" : "outside";
}
