import { expect, test } from "vitest";
import { byName, groupByPrefix, splitTag } from "./tags";

test("the first slash separates the group from what people scan for", () => {
  expect(splitTag("train/loss")).toEqual({ prefix: "train/", leaf: "loss" });
  expect(splitTag("a/b/c")).toEqual({ prefix: "a/", leaf: "b/c" });
  expect(splitTag("loss")).toEqual({ prefix: "", leaf: "loss" });
  expect(splitTag("/loss")).toEqual({ prefix: "", leaf: "/loss" });
  expect(splitTag("loss/")).toEqual({ prefix: "", leaf: "loss/" });
});

test("groups are ordered by name, numbers by size, tags without a group last", () => {
  const groups = groupByPrefix(["lr", "train/layer10", "eval/loss", "train/layer2"].map((tag) => ({ tag })));
  expect(groups.map((group) => [group.prefix, group.entries.map((entry) => entry.tag)])).toEqual([
    ["eval/", ["eval/loss"]], ["train/", ["train/layer2", "train/layer10"]], ["", ["lr"]]]);
});

test("plain names have the order of the collator, and so has everything else", () => {
  const collator = new Intl.Collator("en", { numeric: true });
  let state = 7;
  const draw = (most: number): number => (state = (state * 48271) % 2147483647) % most;
  const LETTERS = "aAbBzZ019_-./ 00";
  const names = Array.from({ length: 400 }, () => Array.from({ length: draw(7) }, () => LETTERS[draw(LETTERS.length)]).join(""));
  for (const a of [...names, "é1", "layer10/w", "Layer2/w", "<script>"]) {
    for (const b of [...names.slice(0, 60), "é2", "layer2/w", "layer10/W"]) expect([a, b, Math.sign(byName(a, b))]).toEqual([a, b, Math.sign(collator.compare(a, b))]);
  }
});
