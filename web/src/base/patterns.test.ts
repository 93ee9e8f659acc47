import { expect, test } from "vitest";
import { searchCost } from "./pattern_cost";
import { compilePattern, loadEngine, MAX_PATTERN, MAX_TEXT, parseFilter } from "./patterns.svelte";

const HOSTILE = [
  "(a+)+!",
  "(a|aa)+!",
  ".?".repeat(24) + "!",
  ".*.*.*.*!",
  "(.*)*x",
  "(a|a)*b",
  "(?:a{1,50}){1,20}b",
  "(?:a?){30}a{30}!",
  "(x+x+)+y",
  "([a-z]+)*!",
];
const LONG = ["a".repeat(60), "a".repeat(1_000_000), "x".repeat(5000) + "y"];

test("a pattern that takes long waits for RE2, and everything stays until it is here", () => {
  const filter = parseFilter("(b+)+!");
  expect(filter.matches("a")).toBe(true);
  expect(compilePattern("(b+)+!").find("a")).toBeUndefined();
});

test("patterns that would freeze the page are answered", async () => {
  await loadEngine();
  for (const text of HOSTILE) {
    const filter = parseFilter(text);
    expect([text, filter.error]).toEqual([text, ""]);
    for (const name of LONG) expect(typeof filter.matches(name)).toBe("boolean");
    expect(filter.matches("#")).toBe(false);
  }
  expect(parseFilter("(a+)+!").matches("xaaa!")).toBe(true);
});

test("both engines find the same, with what the groups caught", async () => {
  await loadEngine();
  const names = ["train/layer10/loss", "Train/layer2/LOSS_b", "", "val"];
  for (const text of [
    "train/.*loss",
    "(train|val)/layer(\\d+)",
    "^(?:[a-z]+/)+(loss)(_b)?$",
    "l.*y.*r.*o.*s.*s",
    "\\bval\\b",
    "a|^$",
  ]) {
    const native = new RegExp(text, "i");
    for (const name of names)
      expect([...(compilePattern(text, { ignoreCase: true }).find(name) ?? ["none"])]).toEqual([
        ...(native.exec(name) ?? ["none"]),
      ]);
  }
});

test("sensible patterns are left to the browser, of names as long as they are", () => {
  for (const text of [
    "loss",
    "^train/",
    "train/.*loss",
    "(train|val)/(loss|acc)$",
    "^(?!.*grad)",
    "layer\\d+",
    "[a-z]+/w",
    "a{2,5}",
    "\\(x\\)+",
    "loss|acc|f1",
  ]) {
    expect([text, searchCost(text, 128) < 3e6]).toEqual([text, true]);
  }
  for (const text of HOSTILE) expect([text, searchCost(text, 64) < 3e6]).toEqual([text, false]);
  expect(searchCost("(".repeat(100), 64)).toBe(Infinity);
});

test("what may stand before and behind a match is left out", () => {
  const filter = parseFilter(".*.*train.*loss.*");
  expect([filter.matches("a/train/b/loss/c"), filter.matches("loss/train")]).toEqual([true, false]);
  expect(parseFilter("x\\.*").matches("ab")).toBe(false);
  expect(parseFilter(".*?a").matches("ba")).toBe(true);
  expect(parseFilter(".*").matches("")).toBe(true);
});

test("a bad expression is explained and hides nothing", async () => {
  await loadEngine();
  for (const [text, reason] of [
    ["(", "Not a regular expression"],
    ["x".repeat(MAX_PATTERN + 1), "too long"],
    ["(?!(a+)+b)(a+)+$", "may take too long"],
    ["(a+)+\\1", "may take too long"],
  ] as const) {
    const filter = parseFilter(text);
    expect(filter.error).toContain(reason);
    expect(filter.matches("anything")).toBe(true);
  }
  expect(parseFilter("^TRAIN").matches("train/loss")).toBe(true);
  expect(parseFilter("^(?!.*grad)").matches("w/grad")).toBe(false);
  expect(parseFilter("  ").matches("x")).toBe(true);
});

test("of a long name the beginning is looked at", () => {
  expect(parseFilter("b").matches("a".repeat(MAX_TEXT) + "b")).toBe(false);
});
