import { expect, test } from "vitest";
import {
  ALL,
  check,
  fewest,
  invert,
  isChecked,
  NO_RUN,
  only,
  readSelection,
  stillThere,
  writeSelection,
} from "./selection";

const shown = (selection: Parameters<typeof isChecked>[0]) =>
  ["a", "b", "c"].filter((run) => isChecked(selection, run));

test("runs are shown until somebody hides them", () => {
  expect(shown(ALL)).toEqual(["a", "b", "c"]);
  expect(shown(check(ALL, ["b"], false))).toEqual(["a", "c"]);
  expect(check(check(ALL, ["b"], false), ["b"], true)).toEqual(ALL);
  expect(shown(check(NO_RUN, ["b"], true))).toEqual(["b"]);
});

test("only this one stays the only one when more runs come", () => {
  expect(shown(only(["b"]))).toEqual(["b"]);
  expect(isChecked(only(["b"]), "new")).toBe(false);
});

test("only these is said in as few names as it takes", () => {
  expect(fewest(["b"], ["a", "b", "c"])).toEqual(only(["b"]));
  expect(fewest(["a", "b"], ["a", "b", "c"])).toEqual(check(ALL, ["c"], false));
  expect(fewest([], ["a"])).toEqual(NO_RUN);
  // All of them, and no others when more come.
  expect(fewest(["a", "b"], ["a", "b"])).toEqual(only(["a", "b"]));
});

test("inverting twice changes nothing", () => {
  const some = check(ALL, ["b"], false);
  expect(shown(invert(some, ["a", "b", "c"]))).toEqual(["b"]);
  expect(shown(invert(invert(some, ["a", "b", "c"]), ["a", "b", "c"]))).toEqual(["a", "c"]);
});

test.each([["a"], ["a,b"], ["-x"], ["back\\slash"], ["a,", ""], ["", "b"], ["😀", "x/y", "-"]])(
  "names survive the address: %j",
  (...names) => {
    for (const selection of [only(names), check(ALL, names, false)])
      expect(readSelection(writeSelection(selection))).toEqual(selection);
  },
);

test("all shown leaves no trace, none shown does", () => {
  expect(writeSelection(ALL)).toBeUndefined();
  expect(writeSelection(NO_RUN)).toBe("");
  expect(readSelection("")).toEqual(NO_RUN);
});

test("what is gone is not picked any more, and nothing is dropped before it is known what is there", () => {
  expect([...stillThere(new Set(["a", "b", "c"]), new Set(["c", "a", "d"]))]).toEqual(["a", "c"]);
  expect([...stillThere(new Set(["a"]), new Set())]).toEqual([]);
  expect([...stillThere(new Set(["a"]), null)]).toEqual(["a"]);
});
