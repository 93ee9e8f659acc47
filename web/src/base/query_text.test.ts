import { expect, test } from "vitest";
import { charactersOf, isUnfinished, kindOf, namePattern, narrowed, tokensOf, unitsOf } from "./query_text";

test.each([
  ["", "empty"],
  ["  ", "empty"],
  ["baseline", "name"],
  ["lr=0.1", "name"],
  ["lr = 0.1", "expression"],
  ["lr < 0.01", "expression"],
  ["resnet/lr1e-3", "name"],
  ["^(train|eval)/", "regex"],
  ["lr(.*?)_seed", "regex"],
  ["/a and b/", "regex"],
  ["seed[12]$", "regex"],
  ["(?!x)y", "regex"],
  ["(?<=x)y", "regex"],
  ['"resnet" in name', "expression"],
  ['not tag("broken")', "expression"],
  ['tag("x")', "expression"],
  ["a and b", "expression"],
  ["rock and roll", "expression"],
  ["not", "name"],
  ["and", "name"],
  ["in vitro", "name"],
  ['metric["val/loss"].min < 0.3', "expression"],
  ["a && b", "expression"],
  ["1 < lr < 2", "expression"],
  ["<script>", "name"],
  ["🐟", "name"],
  ["lr", "name"],
  ["lr > ", "expression"],
] as const)("%j is %s", (text, kind) => expect(kindOf(text)).toBe(kind));

test("what the page can filter by itself is a pattern over names", () => {
  expect([namePattern("/a.*b/"), namePattern("a.*b"), namePattern("lr < 1"), namePattern("/")]).toEqual([
    "a.*b",
    "a.*b",
    null,
    "/",
  ]);
});

test("tokens give back every sign of the text, also of an unfinished one", () => {
  for (const text of ['lr < 0.01 and "res', "metric['a\\'b'].min>=-1e-3 // 2", "🐟 == 'ü'", "a && b || c ** 2"]) {
    expect(
      tokensOf(text)
        .map((token) => token.text)
        .join(""),
    ).toBe(text);
  }
  expect(
    tokensOf("lr>=1e-3 and x")
      .filter(({ kind }) => kind !== "space")
      .map(({ kind }) => kind),
  ).toEqual(["word", "sign", "number", "keyword", "word"]);
});

test("places are counted in characters by the server and in halves by the browser", () => {
  expect([unitsOf("🐟 < x", 4), charactersOf("🐟 < x", 5), unitsOf("ab", 5)]).toEqual([5, 4, 5]);
});

test("half an expression is not asked for yet", () => {
  expect(
    ["lr <", "lr < 1 and", '"res', 'tag("x"', 'metric["val/loss"].mi', "name", 'metric["a'].map(isUnfinished),
  ).toEqual(Array(7).fill(true));
  expect(["lr < 0.01", '"res" in "x"', 'tag("x")', "", "1 in [1, 2]"].map(isUnfinished)).toEqual(Array(5).fill(false));
});

test("an answer for the first letters of a word serves until the next comes, and never replaces more or less than the word", () => {
  const option = (text: string) => ({ text, kind: "param", detail: "" });
  const completion = { from: 5, to: 7, options: [option("optim.lr"), option("option"), option("opal")] };
  expect(narrowed({ completion, then: "🐟 or op", now: "🐟 or optim" })).toEqual({
    from: 5,
    to: 10,
    options: [option("optim.lr")],
  });
  expect(narrowed({ completion, then: "🐟 or op", now: "🐟 or op < 1" })).toBe(null);
  expect(narrowed({ completion, then: "🐟 or op", now: "🐟 or o" })).toBe(null);
  expect(narrowed({ completion, then: "x", now: "x" })).toBe(completion);
});
