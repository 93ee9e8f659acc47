import { expect, test } from "vitest";
import { applyOrder, mergeOrder, moveKey, type Move } from "./section_order";

const apply = (keys: readonly string[], saved: readonly string[]) => applyOrder(keys, (key) => key, saved);

test("without a saved order the usual one stays", () => {
  expect(apply(["b", "a"], [])).toEqual(["b", "a"]);
});

test("saved sections keep their order, new ones come where they usually do", () => {
  expect(apply(["loss", "train", "val", "system"], ["train", "loss", "system"])).toEqual([
    "train",
    "val",
    "loss",
    "system",
  ]);
  expect(apply(["new", "a", "b"], ["b", "a"])).toEqual(["new", "b", "a"]);
});

test("a section that is not there now keeps its position for later, and nothing is lost or doubled", () => {
  expect(apply(["a", "c"], ["c", "gone", "a"])).toEqual(["c", "a"]);
  expect(mergeOrder(["a", "c", "d"], ["c", "gone", "a"])).toEqual(["c", "d", "gone", "a"]);
});

test("a section moves past its neighbour on the screen, or to an end", () => {
  const order = ["a", "filtered", "b", "c"];
  const move = (key: string, by: Move) => moveKey(order, ["a", "b", "c"], key, by);
  expect(move("b", "up")).toEqual(["b", "a", "filtered", "c"]);
  expect(move("a", "down")).toEqual(["filtered", "b", "a", "c"]);
  expect(move("c", "top")).toEqual(["c", "a", "filtered", "b"]);
  expect(move("a", "bottom")).toEqual(["filtered", "b", "c", "a"]);
  expect(move("a", "up")).toEqual(order);
  expect(move("c", "down")).toEqual(order);
});
