import { expect, test } from "vitest";
import { byName, comparable, groupByPrefix, splitTag } from "./tags";

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
    "train/",
    "val/",
    "No prefix",
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

test("within a section results come first, then the order is by name, numbers by size", () => {
  const tags = ["lr", "train/layer10", "eval/runtime", "eval/wer", "eval/loss", "train/layer2"];
  const groups = groupByPrefix(tags.map((tag) => ({ tag })));
  expect(groups.map((group) => [group.prefix, group.entries.map((entry) => entry.tag)])).toEqual([
    ["eval/", ["eval/loss", "eval/wer", "eval/runtime"]],
    ["", ["lr"]],
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

/** Tags by section, as real projects log them: `section: tags without the prefix`. */
const laidOut = (...tags: string[]): string[] =>
  groupByPrefix(tags.map((tag) => ({ tag }))).map(
    ({ prefix, entries }) => `${prefix}: ${entries.map(({ tag }) => tag.slice(prefix.length)).join(", ")}`,
  );

test("agents: the return first, then losses, then how fast it went", () => {
  // Stable-Baselines3, Unity ML-Agents, CleanRL.
  expect(
    laidOut(
      "train/approx_kl",
      "train/learning_rate",
      "train/loss",
      "train/policy_gradient_loss",
      "time/fps",
      "rollout/ep_len_mean",
      "rollout/ep_rew_mean",
    ),
  ).toEqual([
    "rollout/: ep_rew_mean, ep_len_mean",
    "train/: loss, policy_gradient_loss, approx_kl, learning_rate",
    "time/: fps",
  ]);
  expect(
    laidOut(
      "Is Training",
      "Policy/Entropy",
      "Losses/Policy Loss",
      "Environment/Cumulative Reward",
      "Environment/Episode Length",
      "Self-play/ELO",
    ),
  ).toEqual([
    "Environment/: Cumulative Reward, Episode Length",
    "Losses/: Policy Loss",
    "Self-play/: ELO",
    ": Is Training",
    "Policy/: Entropy",
  ]);
  expect(laidOut("losses/entropy", "charts/SPS", "charts/episodic_return", "losses/value_loss")).toEqual([
    "charts/: episodic_return, SPS",
    "losses/: value_loss, entropy",
  ]);
  expect(laidOut("vl_loss", "epsilon", "test100rew")).toEqual([": test100rew, vl_loss, epsilon"]);
});

test("classifiers, detectors and language models: losses and metrics first", () => {
  // Ultralytics, the Transformers trainer, Lightning.
  expect(laidOut("lr/pg0", "val/box_loss", "metrics/mAP50(B)", "train/box_loss")).toEqual([
    "metrics/: mAP50(B)",
    "train/: box_loss",
    "val/: box_loss",
    "lr/: pg0",
  ]);
  expect(laidOut("train/epoch", "train/grad_norm", "train/loss", "eval/runtime", "eval/rougeL", "eval/mmlu")).toEqual([
    "eval/: rougeL, mmlu, runtime",
    "train/: loss, epoch, grad_norm",
  ]);
  expect(laidOut("epoch", "lr-Adam", "valLoss", "train_acc", "DeviceStatsMonitor.on_train_batch_end/cpu")).toEqual([
    ": train_acc, valLoss, epoch, lr-Adam",
    "DeviceStatsMonitor.on_train_batch_end/: cpu",
  ]);
  expect(laidOut("optimizer/cost", "avg.reward/ep.", "gradients/score.weight", "dense/score.bias")).toEqual([
    "avg.reward/: ep.",
    "optimizer/: cost",
    "dense/: score.bias",
    "gradients/: score.weight",
  ]);
});

test("splits with results come before sections that merely have some", () => {
  expect(
    sections("bounds/error_low", "train/loss", "val/acc", "model/loss", "test/x", "lr", "layers/loss", "extra/x"),
  ).toEqual(["test/", "train/", "val/", "bounds/", "model/", "No prefix", "extra/", "layers/"]);
});

test("decimals count as numbers, and a run stays beside its own folder", () => {
  // The same lists as in src/seamark/format/test_name_order.py.
  const lists = [
    ["lr0.02", "lr0.1", "lr0.15", "lr0.5", "lr1", "lr1.5", "lr10"],
    ["lr0.001_seed0", "lr0.001_seed0/loss_train", "lr0.001_seed1", "lr0.01_seed0", "lr0.01_seed0/b", "lr0.1_seed0"],
    ["lr2.5e-4", "lr3e-4", "lr1e-3", "lr0.002", "lr1"],
    ["a/x", "a_b", "a.b", "a1", "a1/x", "a1_b", "a2", "b"],
    ["layers.0.9.weight", "layers.0.10.weight", "v1.9", "v1.10", "Version 1.2.3", "version 1.2.10"],
    ["é0.02", "é0.02/x", "é0.1", "é0.1_x", "é0.15", "é1"],
    ["run 007", "run 8", "run 0123456789012345678"],
  ];
  for (const names of lists) expect(names.toReversed().sort(byName)).toEqual(names);
});

test("plain names have the order of the collator, and so has everything else", () => {
  const collator = new Intl.Collator("en", { numeric: true });
  let state = 7;
  const draw = (limit: number): number => (state = (state * 48271) % 2147483647) % limit;
  const LETTERS = "aAbBzZ019_-./ 00";
  const names = Array.from({ length: 400 }, () =>
    Array.from({ length: draw(7) }, () => LETTERS[draw(LETTERS.length)]).join(""),
  );
  const [firsts, seconds] = [
    [...names, "é1", "layer10/w", "Layer2/w", "<script>"],
    [...names.slice(0, 60), "é2", "layer2/w", "layer10/W"],
  ].map((list) => list.map((name) => ({ name, text: comparable(name) })));
  const differing = firsts!.flatMap((a) =>
    seconds!
      .filter((b) => Math.sign(byName(a.name, b.name)) !== Math.sign(collator.compare(a.text, b.text)))
      .map((b) => [a.name, b.name]),
  );
  expect(differing).toEqual([]);
});
