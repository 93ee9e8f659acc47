import { expect, test } from "vitest";
import { keepSame, parseCards, PLAIN, serialiseCards } from "./card_views";

test("what was set on cards goes through the address and back", () => {
  const cards = {
    "train/loss": { ...PLAIN, yScale: "log" as const, y: { from: 0.1, to: null }, also: ["eval/loss"] },
    lr: { ...PLAIN, x: { from: 1, to: 2 }, over: "epoch" },
    plain: PLAIN,
  };
  const text = serialiseCards(cards)!;
  expect(text).not.toContain("plain");
  expect(parseCards(text)).toEqual({ "train/loss": cards["train/loss"], lr: cards.lr });
  expect(serialiseCards({ plain: PLAIN })).toBeUndefined();
});

test("an address that was tampered with breaks nothing", () => {
  expect(parseCards("{")).toEqual({});
  expect(parseCards("[1]")).toEqual({});
  expect(parseCards(undefined)).toEqual({});
  expect(parseCards('{"a":{"ys":"cubic","y":[3,1],"x":["1",2],"also":[1,"b"],"over":4},"b":null}')).toEqual({
    a: { ...PLAIN, x: { from: null, to: 2 }, also: ["b"] },
  });
});

test("a card that nothing was done to keeps its very view when another one moves", () => {
  const before = parseCards('{"a":{"ys":"log"},"b":{"x":[0,1]}}');
  const after = keepSame(before, parseCards('{"a":{"ys":"log"},"b":{"x":[0,2]},"c":{"over":"a"}}'));
  expect(after.a).toBe(before.a);
  expect(after.b!.x).toEqual({ from: 0, to: 2 });
  expect(Object.keys(after)).toEqual(["a", "b", "c"]);
  expect(keepSame(after, {})).toEqual({});
});
