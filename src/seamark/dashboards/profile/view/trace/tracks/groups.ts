/** Tracks and counters by process or device, in the order in which they are shown. */

import type { CounterEntry, Track } from "../../wire";
import { poolsOf, type ThreadPool } from "./pools";

/** The threads of a process, or the streams of a device. */
export interface TrackGroup {
  /** "p3": 3 is its first track. */
  readonly key: string;
  readonly title: string;
  readonly isDevice: boolean;
  readonly host: string;
  readonly tracks: readonly Track[];
  /** By the ids of their tracks. */
  readonly pools: ReadonlyMap<number, ThreadPool>;
  readonly counters: readonly CounterEntry[];
}

export const trackKey = (track: number): string => `t${track}`;
export const counterKey = (counter: number): string => `c${counter}`;

/** Of its tracks and counters. */
export const keysOf = ({ tracks, counters }: TrackGroup): string[] => [
  ...tracks.map(({ id }) => trackKey(id)),
  ...counters.map(({ id }) => counterKey(id)),
];

/** Hosts in their order; in each the processes first, then the devices. `order` has keys of tracks that a person moved. */
export function groupTracks(
  tracks: readonly Track[],
  counters: readonly CounterEntry[],
  order: readonly string[] = [],
): TrackGroup[] {
  const byName = new Map<string, Track[]>();
  for (const track of tracks) {
    if (track.slices === 0) continue;
    const name = JSON.stringify([track.host, track.pid, track.process, track.is_device]);
    const list = byName.get(name);
    if (list) list.push(track);
    else byName.set(name, [track]);
  }
  const hosts = [...new Set(tracks.map(({ host }) => host))];
  const groups = [...byName.values()].map((list) => newGroup(list, order));
  groups.sort((a, b) => hosts.indexOf(a.host) - hosts.indexOf(b.host) || Number(a.isDevice) - Number(b.isDevice));
  return addCounters(groups, counters, order);
}

function newGroup(tracks: readonly Track[], order: readonly string[]): TrackGroup {
  const first = tracks[0]!;
  const least = tracks.reduce((smallest, { id }) => Math.min(smallest, id), first.id);
  const sorted = byOrder(
    [...tracks].sort((a, b) => a.sort_key - b.sort_key),
    order,
    ({ id }) => trackKey(id),
  );
  return {
    key: `p${least}`,
    title: groupTitle(first),
    isDevice: first.is_device,
    host: first.host,
    tracks: sorted,
    pools: poolsOf(sorted),
    counters: [],
  };
}

function groupTitle({ process, pid, host, is_device, device }: Track): string {
  const isNumber = process === "" || /^\d+$/.test(process);
  const name = is_device && device >= 0 ? `GPU ${device}` : isNumber ? `process ${pid}` : process;
  const number = is_device || pid === "" || name.includes(pid) || !/^\d+$/.test(pid) ? "" : ` ${pid}`;
  return `${name}${number}${host && !name.includes(host) ? `, ${host}` : ""}`;
}

/** Counters of a process that has no slices have a group of their own. */
function addCounters(groups: TrackGroup[], counters: readonly CounterEntry[], order: readonly string[]): TrackGroup[] {
  const left = new Set(counters);
  const filled = groups.map((group) => {
    const names = new Set(group.tracks.map(({ process }) => process));
    const own = [...left].filter(({ process }) => names.has(process) || process === group.title);
    for (const counter of own) left.delete(counter);
    return { ...group, counters: byOrder(own, order, ({ id }) => counterKey(id)) };
  });
  if (left.size === 0) return filled;
  const rest = byOrder([...left], order, ({ id }) => counterKey(id));
  return [
    ...filled,
    { key: "counters", title: "Counters", isDevice: false, host: "", tracks: [], pools: new Map(), counters: rest },
  ];
}

/** Those that `order` names change places among themselves; all others stay. */
function byOrder<Item>(items: readonly Item[], order: readonly string[], keyOf: (item: Item) => string): Item[] {
  const ranks = new Map(order.map((key, rank) => [key, rank]));
  const moved = items.filter((item) => ranks.has(keyOf(item)));
  if (moved.length === 0) return [...items];
  moved.sort((a, b) => ranks.get(keyOf(a))! - ranks.get(keyOf(b))!);
  return items.map((item) => (ranks.has(keyOf(item)) ? moved.shift()! : item));
}

/** The order of a list after one item was put before another; null: at the end. */
export function movedBefore(keys: readonly string[], moved: string, before: string | null): string[] {
  const rest = keys.filter((key) => key !== moved);
  const at = before === null ? rest.length : rest.indexOf(before);
  return at < 0 ? [...keys] : [...rest.slice(0, at), moved, ...rest.slice(at)];
}
