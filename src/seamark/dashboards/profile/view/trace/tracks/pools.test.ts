import { expect, test } from "vitest";
import { groupTracks } from "./groups";
import { layoutTracks, rowAt, rowTop } from "./layout";
import { commonName, poolsOf } from "./pools";
import { newTrack } from "./testing";

const MAIN = newTrack(0, 0, 3, { name: "main", slices: 500 });
const WORKERS = Array.from({ length: 6 }, (_, at) =>
  newTrack(at + 1, at * 2 + 3, 2, { name: `tf_XLAEigen/${at * 71}` }),
);
const TRACKS = [MAIN, ...WORKERS, newTrack(7, 15, 1, { name: "logger" })];
const layout = (collapsed: readonly string[], hidden: readonly string[] = []) =>
  layoutTracks(groupTracks(TRACKS, []), { pinned: [], collapsed: new Set(collapsed), hidden: new Set(hidden) });

test("names are the same without their numbers", () => {
  const named = (name: string): string => commonName(newTrack(0, 0, 1, { name }));
  expect(named("tf_XLAEigen/-123")).toBe("tf_XLAEigen");
  expect(named("thread 417 (pt_autograd_3)")).toBe("pt_autograd");
  expect(named("worker-1-loader 2")).toBe("worker loader");
  expect(named("thread 417")).toBe("thread");
});

test("five threads with like names are a pool", () => {
  const pools = poolsOf(TRACKS);
  expect([...pools.keys()]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(pools.get(3)).toMatchObject({ key: "q1", title: "tf_XLAEigen" });
  expect(poolsOf(TRACKS.slice(0, 5)).size).toBe(0);
});

test("the busiest thread, streams and threads without a name are in no pool", () => {
  const python = Array.from({ length: 6 }, (_, id) =>
    newTrack(id, id, 1, { name: `thread ${id} (python)`, slices: 9 - id }),
  );
  expect([...poolsOf(python).keys()]).toEqual([1, 2, 3, 4, 5]);
  expect(poolsOf(python.map((track) => ({ ...track, name: `thread ${track.id}` }))).size).toBe(0);
  expect(poolsOf(python.map((track) => ({ ...track, is_device: true }))).size).toBe(0);
});

test("a collapsed pool is one line with a row for each thread", () => {
  const { body, laneOfTrack } = layout(["q1"]);
  expect(body.lanes.map(({ title }) => title)).toEqual(["python 41208", "main", "tf_XLAEigen", "logger"]);
  const pool = body.lanes[2]!;
  expect([pool.rows, pool.note, pool.height]).toEqual([[3, 5, 7, 9, 11, 13], "6 threads", 34]);
  expect(laneOfTrack.get(4)).toBe(pool);
  expect(rowAt(pool, pool.top + 3 + 2 * 4.6 + 1)).toBe(7);
  expect(rowTop(pool, 7)).toBeCloseTo(pool.top + 3 + 2 * 4.6);
  expect(rowTop(pool, 8)).toBeNull();
});

test("an open pool is a line above its threads", () => {
  const titles = layout([]).body.lanes.map(({ title }) => title);
  expect(titles).toHaveLength(10);
  expect(titles.slice(2, 5)).toEqual(["tf_XLAEigen", "tf_XLAEigen/0", "tf_XLAEigen/71"]);
});

test("hidden threads of a pool are not in its line", () => {
  expect(layout(["q1"], ["t1", "t2"]).body.lanes[2]!.note).toBe("4 threads");
});
