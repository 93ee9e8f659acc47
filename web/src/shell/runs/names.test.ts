import { expect, test } from "vitest";
import { folderOf, nearNames, sharedTail, withoutTail } from "./names";

test("a path that all runs end in is left out", () => {
  expect(sharedTail(["a/logs/tensorboard", "b/logs/tensorboard"])).toBe("/logs/tensorboard");
  expect(sharedTail(["x/a/tb", "x/b/tb"])).toBe("/tb");
  expect(withoutTail("a/logs/tensorboard", "/logs/tensorboard")).toBe("a");
});

test("a name is never left out whole, and one run alone shares nothing", () => {
  expect(sharedTail(["a/tb"])).toBe("");
  expect(sharedTail(["tb", "a/tb"])).toBe("");
  expect(sharedTail(["a/tb", "b/xtb"])).toBe("");
  expect(sharedTail([])).toBe("");
  expect(withoutTail("tb", "/tb")).toBe("tb");
});

test("the folder is everything up to the last slash", () => {
  expect([folderOf("a/b/c"), folderOf("c")]).toEqual(["a/b/", ""]);
});

test("a name that is not there is taken for the nearest ones", () => {
  expect(nearNames(["sweep/slow", "sweep/fast", "other"], "sweep/slowest")).toEqual(["sweep/slow", "sweep/fast"]);
  expect(nearNames(["a"], "zzz")).toEqual([]);
  expect(nearNames([], "x")).toEqual([]);
});
