import { expect, test } from "vitest";
import { patchRuns, patchTags, tagsOfRuns, type TagLists } from "./catalogue";
import { makeRun } from "./testing";

const run = (name: string, first_wall: number | null, points = 1) => makeRun(name, { first_wall, points });
const lists: TagLists = new Map([
  [
    "scalars",
    [
      { tag: "loss", runs: ["a", "b"] },
      { tag: "acc", runs: ["a"] },
    ],
  ],
  ["images", [{ tag: "input", runs: ["b"] }]],
]);

test("a run that grew is replaced, a new one is where the server lists it", () => {
  const runs = [run("a", 1), run("c", 3), run("idle", null), run("waiting", null)];
  const patched = patchRuns(runs, [run("b", 2), run("c", 3, 9)], []);
  expect(patched.map(({ name, points }) => [name, points])).toEqual([
    ["a", 1],
    ["b", 1],
    ["c", 9],
    ["idle", 1],
    ["waiting", 1],
  ]);
  expect(patched[0]).toBe(runs[0]);
  expect(patchRuns(runs, [], ["a"]).map(({ name }) => name)).toEqual(["c", "idle", "waiting"]);
  expect(patchRuns(runs, [], [])).toBe(runs);
});

test("a new run and a new tag are added, and what did not change stays the same object", () => {
  const patched = patchTags(lists, { c: { scalars: ["loss", "lr"] } });
  expect(patched.get("scalars")).toEqual([
    { tag: "loss", runs: ["a", "b", "c"] },
    { tag: "acc", runs: ["a"] },
    { tag: "lr", runs: ["c"] },
  ]);
  expect(patched.get("scalars")![1]).toBe(lists.get("scalars")![1]);
  expect(patched.get("images")).toBe(lists.get("images"));
  expect(patchTags(lists, {})).toBe(lists);
});

test("a run that was started again loses the tags that it has no more, a removed one loses all", () => {
  expect(patchTags(lists, { a: { scalars: ["loss"] } }).get("scalars")).toEqual([{ tag: "loss", runs: ["a", "b"] }]);
  const patched = patchTags(lists, { b: {} });
  expect([...patched.keys()]).toEqual(["scalars"]);
  expect(patched.get("scalars")![0]).toEqual({ tag: "loss", runs: ["a"] });
});

test("the tags of some runs", () => {
  expect(tagsOfRuns(lists, new Set(["b"]))).toEqual([
    { kind: "scalars", tag: "loss" },
    { kind: "images", tag: "input" },
  ]);
});
