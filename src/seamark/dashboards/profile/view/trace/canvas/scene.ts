/** Everything that a frame draws. */

import type { Span } from "../../load";
import type { CounterWindow, Flows, Matches, SliceDetails, Step } from "../../wire";
import type { MarkedArea } from "../address";
import type { WindowIndex } from "../data/window_index";
import { lengthOf } from "../time/span";
import { rowTop, type Lane, type TrackLayout } from "../tracks/layout";

export const MINIMAP_PX = 44;
export const STEPS_PX = 22;
export const RULER_PX = 22;
export const HEADER_PX = MINIMAP_PX + STEPS_PX + RULER_PX;

export interface Scene {
  readonly span: Span;
  readonly capture: Span;
  readonly width: number;
  readonly height: number;
  readonly pinnedPx: number;
  readonly scrollTop: number;
  readonly layout: TrackLayout;
  readonly trackOfRow: (row: number) => number;
  readonly index: WindowIndex | null;
  readonly nameOf: (id: number) => string;
  readonly matches: Matches | null;
  readonly selected: SliceDetails | null;
  readonly flows: Flows | null;
  readonly marked: readonly SliceDetails[];
  readonly area: MarkedArea | null;
  readonly steps: readonly Step[];
  readonly meanStepNs: number | null;
  /** Position in steps; -1: none is near. */
  readonly currentStep: number;
  readonly counters: ReadonlyMap<number, CounterWindow>;
}

export const toX = ({ span, width }: Scene, time: number): number => ((time - span.start) / lengthOf(span)) * width;

/** The screen's y of the upper edge of a row; null if it is not drawn. */
export function rowY(scene: Scene, row: number): number | null {
  const lane = scene.layout.laneOfTrack.get(scene.trackOfRow(row));
  const top = lane && rowTop(lane, row);
  return top === undefined || top === null ? null : top + offsetOf(scene, lane!);
}

/** The same; null also if it is scrolled out of view or below the pinned tracks. */
export function visibleRowY(scene: Scene, row: number): number | null {
  const y = rowY(scene, row);
  if (y === null || y > scene.height) return null;
  const isPinned = scene.layout.laneOfTrack.get(scene.trackOfRow(row))!.isPinned;
  return isPinned || y >= HEADER_PX + scene.pinnedPx - 2 ? y : null;
}

/** What is added to a lane's top to get to the screen's y. */
export const offsetOf = ({ pinnedPx, scrollTop }: Scene, lane: Lane): number =>
  lane.isPinned ? HEADER_PX : HEADER_PX + pinnedPx - scrollTop;

export const slicePxOf = (scene: Scene, row: number): number =>
  scene.layout.laneOfTrack.get(scene.trackOfRow(row))?.slicePx ?? 0;
