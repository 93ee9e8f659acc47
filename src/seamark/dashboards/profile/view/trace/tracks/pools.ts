/** Pools: threads with like names, such as the workers of a thread pool, which are one line until a person opens it. */

import type { Track } from "../../wire";

export interface ThreadPool {
  /** "q3": 3 is its first track. */
  readonly key: string;
  /** "tf_XLAEigen" */
  readonly title: string;
  readonly tracks: readonly Track[];
}

/** So many threads with like names are a pool. */
export const MIN_POOL_THREADS = 5;
/** A name that says only that it is a thread. */
const NAMELESS = /^(?:thread|stream|line|async)?$/i;

/** The pool of each track that is in one. The busiest thread of a process stays apart: it is the one to look at. */
export function poolsOf(tracks: readonly Track[]): ReadonlyMap<number, ThreadPool> {
  const threads = tracks.filter(({ is_device, type }) => !is_device && type === "thread");
  if (threads.length < MIN_POOL_THREADS) return new Map();
  const busiest = threads.reduce((most, track) => (track.slices > most.slices ? track : most));
  const byName = new Map<string, Track[]>();
  for (const track of threads) {
    const name = commonName(track);
    if (track === busiest || NAMELESS.test(name)) continue;
    const list = byName.get(name);
    if (list) list.push(track);
    else byName.set(name, [track]);
  }
  const pools = new Map<number, ThreadPool>();
  for (const [title, list] of byName) {
    if (list.length < MIN_POOL_THREADS) continue;
    const pool = { key: `q${list.reduce((least, { id }) => Math.min(least, id), Infinity)}`, title, tracks: list };
    for (const { id } of list) pools.set(id, pool);
  }
  return pools;
}

/** Without what tells threads apart: "thread 417 (pt_autograd_3)" and "pt_autograd_3" are "pt_autograd". */
export function commonName({ name }: Track): string {
  const inner = /^thread \d+ \((.+)\)$/.exec(name.trim())?.[1] ?? name;
  return inner
    .replace(/\d+/g, "#")
    .replace(/[\s_/.:#-]*#[\s_/.:#-]*/g, " ")
    .trim();
}
