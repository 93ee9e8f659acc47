import { expect, test, vi } from "vitest";
import { CardState, numberOf, rangeField, rangeOf } from "./card_state.svelte";
import { fakeUrl } from "./fake_url";

function stateWith(text?: string) {
  const url = fakeUrl(text === undefined ? {} : { cards: text });
  return { params: url.params, url, cards: new CardState(url) };
}

test("fields are stored per card, and an empty state leaves the address", () => {
  const { cards, params } = stateWith();
  cards.change("a", { step: 3, mode: "raw" });
  cards.change("b", { step: 4 });
  expect(params.get("cards")).toBe('{"a":{"step":3,"mode":"raw"},"b":{"step":4}}');
  cards.change("a", { step: undefined });
  expect(cards.of("a")).toEqual({ mode: "raw" });
  cards.change("a", { mode: undefined });
  cards.change("b", { step: undefined });
  expect(params.has("cards")).toBe(false);
});

test("a change of one card leaves the objects of the others as they are", () => {
  const { cards } = stateWith('{"a":{"x":[0,1]},"b":{"step":4}}');
  const [a, b] = [cards.of("a"), cards.of("b")];
  cards.change("b", { step: 5 });
  expect(cards.of("a")).toBe(a);
  expect(cards.of("b")).not.toBe(b);
});

test("the address is parsed once for any number of cards", () => {
  const { cards } = stateWith('{"a":{"step":1}}');
  const parse = vi.spyOn(JSON, "parse");
  for (let card = 0; card < 100; card += 1) cards.of(String(card));
  expect(parse).toHaveBeenCalledTimes(1);
  parse.mockRestore();
});

test("one field can be looked for in all cards, and removed from them", () => {
  const { cards } = stateWith('{"a":{"step":1,"x":[0,1]},"b":{"step":2}}');
  expect([cards.has("step"), cards.has("mode")]).toEqual([true, false]);
  cards.clear("step");
  expect([cards.has("step"), cards.of("a"), cards.of("b")]).toEqual([false, { x: [0, 1] }, {}]);
});

test("what an address makes no sense of is left out", () => {
  for (const text of ["", "{", "[1]", '"a"', '{"a":1}']) expect(stateWith(text).cards.of("a")).toEqual({});
  expect(stateWith('{"__proto__":{"step":1}}').cards.of("constructor")).toEqual({});
});

test("ranges and numbers are checked", () => {
  expect([[0, 1], [1, 0], [0], "x", [0, null]].map(rangeOf)).toEqual([{ from: 0, to: 1 }, null, null, null, null]);
  expect([rangeField({ from: 0, to: 1 }), rangeField(null)]).toEqual([[0, 1], undefined]);
  expect([3, "3", Infinity, undefined].map(numberOf)).toEqual([3, undefined, undefined, undefined]);
});
