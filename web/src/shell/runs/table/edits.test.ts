import { expect, test } from "vitest";
import { countTags, noteOf, readTags, retagged, tagsOf } from "./edits";

test("what a person wrote wins over what the run came with, also when it is nothing", () => {
  expect([
    tagsOf(["a"], {}),
    tagsOf(["a"], { tags: [] }),
    tagsOf(null, {}),
    noteOf("x", {}),
    noteOf("x", { note: "" }),
  ]).toEqual([["a"], [], [], "x", ""]);
});

test("tags as typed", () => expect(readTags(" a, b,, a ,<b>")).toEqual(["a", "b", "<b>"]));

test("a tag for many runs changes only those that lack it", () => {
  const tags = new Map([
    ["r1", ["a"]],
    ["r2", ["a", "b"]],
    ["r3", []],
  ]);
  expect(retagged(tags, "b", true)).toEqual({ r1: { tags: ["a", "b"] }, r3: { tags: ["b"] } });
  expect(retagged(tags, "a", false)).toEqual({ r1: { tags: [] }, r2: { tags: ["b"] } });
  expect(countTags(tags.values())).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});
