import { expect, test } from "vitest";
import { groupTracks, movedBefore } from "./groups";
import { laneAt, lanesBetween, layoutTracks, rowAt, rowTop, type LaneOptions } from "./layout";
import { newCounter, newTrack } from "./testing";

const TRACKS = [
  newTrack(0, 0, 2, { process: "python", pid: "0", is_device: true, device: 0, type: "stream", name: "stream 7 " }),
  newTrack(1, 2, 5, { name: "MainThread" }),
  newTrack(2, 7, 1, { name: "pin_memory" }),
];
const COUNTERS = [newCounter(0, "GPU 0", "bytes")];
const OPTIONS: LaneOptions = { pinned: [], collapsed: new Set(), hidden: new Set() };
const layout = (options: Partial<LaneOptions> = {}, order: readonly string[] = []) =>
  layoutTracks(groupTracks(TRACKS, COUNTERS, order), { ...OPTIONS, ...options });
const titles = (options: Partial<LaneOptions> = {}, order: readonly string[] = []): string[] =>
  layout(options, order).body.lanes.map(({ title }) => title);

test("processes come before devices, each with its tracks and counters", () => {
  expect(titles()).toEqual(["python 41208", "MainThread", "pin_memory", "GPU 0", "stream 7", "counter 0"]);
  const { lanes, height } = layout().body;
  expect(lanes.map(({ height: each }) => each)).toEqual([22, 96, 24, 22, 42, 48]);
  expect(lanes.map(({ top }) => top)).toEqual([0, 22, 118, 142, 164, 206]);
  expect(height).toBe(254);
  expect(lanes[0]!.note).toBe("2 threads");
});

test("a pinned track leaves its process, in the order of pinning", () => {
  const both = layout({ pinned: ["c0", "t2"] });
  expect(both.pinned.lanes.map(({ title }) => title)).toEqual(["Pinned", "counter 0", "pin_memory"]);
  expect(both.body.lanes.map(({ title }) => title)).not.toContain("pin_memory");
  expect(both.laneOfTrack.get(2)!.isPinned).toBe(true);
});

test("a counter does not repeat the name of its group", () => {
  const counter = { ...newCounter(0, "GPU 0", "bytes"), name: "GPU 0 memory: allocated" };
  const { lanes } = layoutTracks(groupTracks(TRACKS, [counter]), OPTIONS).body;
  expect(lanes.at(-1)!.title).toBe("memory: allocated");
});

test("a process without visible tracks has no line", () => {
  expect(titles({ hidden: new Set(["t0", "c0"]) })).toEqual(["python 41208", "MainThread", "pin_memory"]);
});

test("a collapsed process is one strip, a collapsed track thin rows", () => {
  expect(titles({ collapsed: new Set(["p1"]) })).toEqual(["python 41208", "GPU 0", "stream 7", "counter 0"]);
  const strip = layout({ collapsed: new Set(["p1"]) }).body.lanes[0]!;
  expect([strip.style, strip.rows, strip.note]).toEqual(["density", [3, 7], "2 tracks"]);
  const thin = layout({ collapsed: new Set(["t1"]) }).body.lanes[1]!;
  expect([thin.style, thin.rows.length, thin.height]).toEqual(["thin", 4, 24]);
});

test("tracks that a person moved change places", () => {
  expect(titles({}, ["t2", "t1"]).slice(0, 3)).toEqual(["python 41208", "pin_memory", "MainThread"]);
  expect(movedBefore(["a", "b", "c"], "c", "a")).toEqual(["c", "a", "b"]);
  expect(movedBefore(["a", "b", "c"], "a", null)).toEqual(["b", "c", "a"]);
  expect(movedBefore(["a", "b"], "a", "nobody")).toEqual(["a", "b"]);
});

test("lanes and rows are found by their height", () => {
  const { body } = layout();
  expect(lanesBetween(body, 100, 150)).toEqual([1, 4]);
  expect(lanesBetween(body, 900, 950)).toEqual([6, 6]);
  expect(laneAt(body, 22)!.title).toBe("MainThread");
  expect(laneAt(body, 999)).toBeNull();
  const main = body.lanes[1]!;
  expect(rowAt(main, 22 + 3)).toBe(2);
  expect(rowAt(main, 22 + 3 + 18 * 4 + 17)).toBe(6);
  expect(rowTop(main, 4)).toBe(22 + 3 + 36);
  expect(rowTop(main, 0)).toBeNull();
  expect(rowAt(body.lanes[5]!, 210)).toBe(-1);
});

test("a hundred thousand threads are laid out at once", () => {
  const many = Array.from({ length: 100_000 }, (_, id) => newTrack(id, id, 1));
  expect(layoutTracks(groupTracks(many, []), OPTIONS).body.height).toBe(22 + 100_000 * 24);
});
