import { expect, test } from "vitest";
import { bestOf, differenceOf, orderTags } from "./tiles";

test("what people look at first comes first, the machine's own numbers are elsewhere", () => {
  const tags = [
    "system/cpu/use_percent",
    "train/loss",
    "lr",
    "val/loss",
    "train/gradient_norm",
    "eval/accuracy",
    "val/bound",
  ];
  const goals = { "train/loss": "min", "val/loss": "min", "eval/accuracy": "max" } as const;
  expect(orderTags(tags, goals, [])).toEqual([
    "eval/accuracy",
    "val/loss",
    "train/loss",
    "val/bound",
    "lr",
    "train/gradient_norm",
  ]);
});

test("a name of many stars, as any run.json may have, is tried at once", () => {
  const hidden = (name: string) => [{ name, goal: "", hidden: true }];
  const tag = "a".repeat(5000);
  expect(orderTags([tag], {}, hidden("*a".repeat(500) + "b"))).toEqual([tag]);
  expect(orderTags([tag], {}, hidden("*a".repeat(500)))).toEqual([]);
  expect(orderTags(["ab", "aba", "b", "a"], {}, hidden("a*a"))).toEqual(["a", "ab", "b"]);
  expect(orderTags(["x/y/z", "x/z"], {}, hidden("x/*/z"))).toEqual(["x/z"]);
});

test("what define_metric said counts", () => {
  const defined = [
    { name: "lr", goal: "", hidden: true },
    { name: "speed/*", goal: "maximize", hidden: false },
    { name: "odd.*", goal: "minimize", hidden: false },
  ];
  expect(
    orderTags(["lr", "val/loss", "oddXthing", "odd.thing", "speed/images"], { "val/loss": "min" }, defined),
  ).toEqual(["odd.thing", "speed/images", "val/loss", "oddXthing"]);
});

test("a difference is good or bad by the goal", () => {
  expect(differenceOf(0.5, 0.75, "min")).toEqual({ text: "−0.2500", verdict: "better" });
  expect(differenceOf(0.5, 0.75, "max")).toEqual({ text: "−0.2500", verdict: "worse" });
  expect(differenceOf(0.75, 0.5, null)).toEqual({ text: "+0.2500", verdict: "" });
  expect(differenceOf(1, 1, "max")).toEqual({ text: "equal", verdict: "" });
  expect(differenceOf(NaN, 1, "max")).toEqual({ text: "", verdict: "" });
});

test("the best value passes over what is not finite", () => {
  expect(bestOf([0, 1, 2], [NaN, 3, 2], [NaN, 4, Infinity], "min")).toEqual({ value: 2, step: 2 });
  expect(bestOf([0, 1, 2], [NaN, 3, 2], [NaN, 4, Infinity], "max")).toEqual({ value: 4, step: 1 });
  expect(bestOf([0], [NaN], [NaN], "max")).toBeNull();
});
