import { expect, test } from "vitest";
import { groupByPrefix, parseFilter, splitTag } from "./tags";

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

test("a bad expression is explained and hides nothing", () => {
  const filter = parseFilter("(");
  expect(filter.error).toContain("Not a regular expression");
  expect(filter.matches("anything")).toBe(true);
  expect(parseFilter("^TRAIN").matches("train/loss")).toBe(true);
  expect(parseFilter("  ").matches("x")).toBe(true);
});
