/** Where each track is: pinned tracks on top, then processes with their tracks and counters. */

import { format } from "$public/core";
import type { CounterEntry, Track } from "../../wire";
import { counterKey, keysOf, trackKey, type TrackGroup } from "./groups";
import type { ThreadPool } from "./pools";

export const ROW_PX = 18;
export const SLICE_PX = 17;
export const HEADING_PX = 22;
const TRACK_PADDING_PX = 6;
const COLLAPSED_PX = 24;
const COUNTER_PX = 44;
const BYTES_COUNTER_PX = 48;
const THIN_ROW_PX = 4.6;
const THIN_SLICE_PX = 3.8;
const MAX_THIN_ROWS = 4;
/** The rows whose slices a collapsed process shows as a density strip. */
const MAX_DENSITY_ROWS = 12;
/** First row of a track, below its upper edge. */
export const TRACK_TOP_PX = 3;

export interface LaneOptions {
  readonly pinned: readonly string[];
  readonly collapsed: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

/** One line of the label column and what is drawn beside it. */
export interface Lane {
  readonly key: string;
  readonly type: "heading" | "group" | "pool" | "track" | "counter";
  /** Inside its region. */
  readonly top: number;
  readonly height: number;
  readonly title: string;
  readonly note: string;
  readonly isPinned: boolean;
  readonly isCollapsed: boolean;
  readonly track: Track | null;
  readonly counter: CounterEntry | null;
  readonly group: TrackGroup | null;
  /** Of type "pool": its threads that are shown. */
  readonly tracks: readonly Track[];
  /** The rows that are drawn, and how: as slices, as thin lines, or all in one strip. */
  readonly rows: readonly number[];
  readonly rowPx: number;
  readonly slicePx: number;
  readonly style: "none" | "slices" | "thin" | "density" | "counter";
}

export interface Region {
  readonly lanes: readonly Lane[];
  readonly height: number;
}

export interface TrackLayout {
  readonly pinned: Region;
  readonly body: Region;
  /** The lane of each track that is drawn. */
  readonly laneOfTrack: ReadonlyMap<number, Lane>;
}

type LaneFields = Pick<Lane, "key" | "type" | "height" | "title" | "style"> & Partial<Lane>;
/** Until it is placed. There may be 100,000 of them, so that they are not copied. */
type NewLane = { -readonly [Field in keyof Lane]: Lane[Field] };

const NO_ROWS: readonly number[] = [];
const NO_TRACKS: readonly Track[] = [];

function newLane(fields: LaneFields): NewLane {
  return {
    key: fields.key,
    type: fields.type,
    top: 0,
    height: fields.height,
    title: fields.title,
    note: fields.note ?? "",
    isPinned: false,
    isCollapsed: fields.isCollapsed ?? false,
    track: fields.track ?? null,
    counter: fields.counter ?? null,
    group: fields.group ?? null,
    tracks: fields.tracks ?? NO_TRACKS,
    rows: fields.rows ?? NO_ROWS,
    rowPx: fields.rowPx ?? ROW_PX,
    slicePx: fields.slicePx ?? SLICE_PX,
    style: fields.style,
  };
}

export function layoutTracks(groups: readonly TrackGroup[], options: LaneOptions): TrackLayout {
  const pinned = new Map<string, NewLane>();
  const isPinned = new Set(options.pinned);
  const isInBody = (key: string): boolean => !isPinned.has(key) && !options.hidden.has(key);
  const body: NewLane[] = [];
  for (const group of groups) {
    const lanes = lanesOf(group, options);
    for (const lane of lanes) if (isPinned.has(lane.key)) pinned.set(lane.key, lane);
    const isCollapsed = options.collapsed.has(group.key);
    const keys = keysOf(group).filter(isInBody);
    if (keys.length === 0) continue;
    body.push(groupLane(group, keys, isCollapsed));
    if (isCollapsed) continue;
    const shown = lanes.filter(({ key }) => isInBody(key));
    // There may be more of them than a call takes arguments.
    for (const lane of group.pools.size > 0 ? withPools(group, shown, options) : shown) body.push(lane);
  }
  const onTop = options.pinned.flatMap((key) => pinned.get(key) ?? []);
  for (const lane of onTop) lane.isPinned = true;
  const regions = {
    pinned: placed(onTop.length > 0 ? [pinnedHeading(onTop.length), ...onTop] : []),
    body: placed(body),
  };
  const laneOfTrack = new Map<number, Lane>();
  for (const { lanes } of [regions.pinned, regions.body])
    for (const lane of lanes) {
      if (lane.track) laneOfTrack.set(lane.track.id, lane);
      else if (lane.isCollapsed) for (const { id } of lane.tracks.slice(0, lane.rows.length)) laneOfTrack.set(id, lane);
    }
  return { ...regions, laneOfTrack };
}

/** A pool is one line before its threads, or in their place. */
function withPools(group: TrackGroup, lanes: readonly NewLane[], { collapsed }: LaneOptions): NewLane[] {
  const tracksOf = new Map<string, Track[]>();
  for (const { track } of lanes) {
    const pool = track && group.pools.get(track.id);
    if (!pool) continue;
    const tracks = tracksOf.get(pool.key);
    if (tracks) tracks.push(track);
    else tracksOf.set(pool.key, [track]);
  }
  const placedPools = new Set<string>();
  return lanes.flatMap((lane) => {
    const pool = lane.track && group.pools.get(lane.track.id);
    if (!pool) return [lane];
    const isCollapsed = collapsed.has(pool.key);
    const isFirst = !placedPools.has(pool.key);
    placedPools.add(pool.key);
    const line = isFirst ? [poolLane(group, pool, tracksOf.get(pool.key)!, isCollapsed)] : [];
    return isCollapsed ? line : [...line, lane];
  });
}

function poolLane(group: TrackGroup, pool: ThreadPool, tracks: readonly Track[], isCollapsed: boolean): NewLane {
  const rows = isCollapsed ? tracks.slice(0, MAX_DENSITY_ROWS).map(({ first_row }) => first_row) : NO_ROWS;
  return newLane({
    key: pool.key,
    type: "pool",
    height: Math.max(HEADING_PX, Math.ceil(rows.length * THIN_ROW_PX) + TRACK_PADDING_PX),
    title: pool.title,
    note: format.counted(tracks.length, "thread"),
    isCollapsed,
    group,
    tracks,
    rows,
    rowPx: THIN_ROW_PX,
    slicePx: THIN_SLICE_PX,
    style: isCollapsed ? "thin" : "none",
  });
}

const pinnedHeading = (count: number): NewLane =>
  newLane({
    key: "pinned",
    type: "heading",
    height: HEADING_PX,
    title: "Pinned",
    note: format.counted(count, "track"),
    style: "none",
  });

function placed(lanes: NewLane[]): Region {
  let height = 0;
  for (const lane of lanes) {
    lane.top = height;
    height += lane.height;
  }
  return { lanes, height };
}

/** Of a collapsed process only those that are pinned: it may have any number of threads. */
function lanesOf(group: TrackGroup, { collapsed, pinned }: LaneOptions): NewLane[] {
  const isNeeded = (key: string): boolean => !collapsed.has(group.key) || pinned.includes(key);
  return [
    ...group.tracks
      .filter(({ id }) => isNeeded(trackKey(id)))
      .map((track) => trackLane(group, track, collapsed.has(trackKey(track.id)))),
    ...group.counters.filter(({ id }) => isNeeded(counterKey(id))).map((counter) => counterLane(group, counter)),
  ];
}

function trackLane(group: TrackGroup, track: Track, isCollapsed: boolean): NewLane {
  const shown = isCollapsed ? Math.min(track.rows, MAX_THIN_ROWS) : track.rows;
  return newLane({
    key: trackKey(track.id),
    type: "track",
    height: isCollapsed ? COLLAPSED_PX : track.rows * ROW_PX + TRACK_PADDING_PX,
    title: track.name.trim() || `${track.type} ${track.tid}`,
    note: track.rows > 1 ? `depth ${track.rows}` : "",
    isCollapsed,
    track,
    group,
    rows: Array.from({ length: shown }, (_, depth) => track.first_row + depth),
    rowPx: isCollapsed ? THIN_ROW_PX : ROW_PX,
    slicePx: isCollapsed ? THIN_SLICE_PX : SLICE_PX,
    style: isCollapsed ? "thin" : "slices",
  });
}

function counterLane(group: TrackGroup, counter: CounterEntry): NewLane {
  return newLane({
    key: counterKey(counter.id),
    type: "counter",
    height: counter.unit === "bytes" ? BYTES_COUNTER_PX : COUNTER_PX,
    // In the group of its device, "GPU 0 memory: allocated" need not repeat it.
    title: counter.name.startsWith(`${group.title} `) ? counter.name.slice(group.title.length + 1) : counter.name,
    counter,
    group,
    style: "counter",
  });
}

function groupLane(group: TrackGroup, keys: readonly string[], isCollapsed: boolean): NewLane {
  const tracks = keys.filter((key) => key.startsWith("t"));
  return newLane({
    key: group.key,
    type: "group",
    height: HEADING_PX,
    title: group.title,
    note: format.counted(
      isCollapsed ? keys.length : tracks.length,
      isCollapsed ? "track" : group.isDevice ? "stream" : "thread",
    ),
    isCollapsed,
    group,
    rows: isCollapsed ? densityRows(group) : [],
    slicePx: 10,
    style: isCollapsed ? "density" : "none",
  });
}

/** The innermost of the first rows: the outer ones are whole steps. */
function densityRows({ tracks }: TrackGroup): number[] {
  return tracks.slice(0, MAX_DENSITY_ROWS).map(({ first_row, rows }) => first_row + Math.min(rows, 2) - 1);
}

/** Positions of the first and the last lane that touch top…bottom; the second is exclusive. */
export function lanesBetween({ lanes }: Region, top: number, bottom: number): [first: number, end: number] {
  const first = lowerLane(lanes, top);
  let end = first;
  while (end < lanes.length && lanes[end]!.top < bottom) end += 1;
  return [first, end];
}

export function laneAt(region: Region, y: number): Lane | null {
  const lane = region.lanes[lowerLane(region.lanes, y)];
  return lane && y >= lane.top && y < lane.top + lane.height ? lane : null;
}

/** The first lane that ends below y. */
function lowerLane(lanes: readonly Lane[], y: number): number {
  let [low, high] = [0, lanes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lanes[middle]!.top + lanes[middle]!.height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row at a height inside a lane; -1: none. */
export function rowAt(lane: Lane, y: number): number {
  if (lane.style !== "slices" && lane.style !== "thin") return -1;
  return lane.rows[Math.floor((y - lane.top - TRACK_TOP_PX) / lane.rowPx)] ?? -1;
}

/** The upper edge of a row inside its region; null if its lane does not draw it. */
export function rowTop(lane: Lane, row: number): number | null {
  // The rows of a track follow each other, and there may be many; those of a pool are few.
  const depth = lane.type === "pool" ? lane.rows.indexOf(row) : row - (lane.rows[0] ?? Infinity);
  if (depth < 0 || depth >= lane.rows.length || lane.style === "density") return null;
  return lane.top + TRACK_TOP_PX + depth * lane.rowPx;
}
