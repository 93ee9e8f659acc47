import { expect, test } from "vitest";
import { byName, groupByPrefix, splitTag } from "./tags";

test("the first slash separates the group from what people scan for", () => {
  expect(splitTag("train/loss")).toEqual({ prefix: "train/", leaf: "loss" });
  expect(splitTag("a/b/c")).toEqual({ prefix: "a/", leaf: "b/c" });
  expect(splitTag("loss")).toEqual({ prefix: "", leaf: "loss" });
  expect(splitTag("/loss")).toEqual({ prefix: "", leaf: "/loss" });
  expect(splitTag("loss/")).toEqual({ prefix: "", leaf: "loss/" });
});

const sections = (...tags: string[]): string[] => groupByPrefix(tags.map((tag) => ({ tag }))).map(({ title }) => title);

test("results come first, then the other sections by name, the machine's last", () => {
  // As seamark.init, Keras and Optuna log.
  expect(sections("system/cpu", "layer10/w", "layer2/w", "val/loss", "train/loss", "value")).toEqual([
    "No prefix",
    "train/",
    "val/",
    "layer2/",
    "layer10/",
    "system/",
  ]);
  expect(sections("dense/kernel", "epoch_loss", "keras")).toEqual(["No prefix", "dense/"]);
  expect(
    sections(
      "lr/group0",
      "Loss/train",
      "Test metrics/f1",
      "val_acc/top1",
      "trainer/step",
      "time/fps",
      "rollout/ep_rew_mean",
    ),
  ).toEqual(["Loss/", "rollout/", "Test metrics/", "val_acc/", "lr/", "time/", "trainer/"]);
});

test("within a section tags are ordered by name, numbers by size", () => {
  const groups = groupByPrefix(["lr", "train/layer10", "eval/loss", "train/layer2"].map((tag) => ({ tag })));
  expect(groups.map((group) => [group.prefix, group.entries.map((entry) => entry.tag)])).toEqual([
    ["", ["lr"]],
    ["eval/", ["eval/loss"]],
    ["train/", ["train/layer2", "train/layer10"]],
  ]);
});

test("groups that come later stay before the machine's", () => {
  const groups = groupByPrefix(
    ["system/x", "images", "a/x", "train/x"].map((tag) => ({ tag })),
    ([first]) => first!.tag !== "a/x",
  );
  expect(groups.map(({ prefix }) => prefix)).toEqual(["a/", "", "train/", "system/"]);
});

test("plain names have the order of the collator, and so has everything else", () => {
  const collator = new Intl.Collator("en", { numeric: true });
  let state = 7;
  const draw = (most: number): number => (state = (state * 48271) % 2147483647) % most;
  const LETTERS = "aAbBzZ019_-./ 00";
  const names = Array.from({ length: 400 }, () =>
    Array.from({ length: draw(7) }, () => LETTERS[draw(LETTERS.length)]).join(""),
  );
  for (const a of [...names, "é1", "layer10/w", "Layer2/w", "<script>"]) {
    for (const b of [...names.slice(0, 60), "é2", "layer2/w", "layer10/W"])
      expect([a, b, Math.sign(byName(a, b))]).toEqual([a, b, Math.sign(collator.compare(a, b))]);
  }
});
