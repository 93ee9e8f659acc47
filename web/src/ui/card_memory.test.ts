import { expect, test } from "vitest";
import { CardMemory } from "./card_memory";

function memory(start: Record<string, string> = {}) {
  const params = new Map(Object.entries(start));
  const url = {
    get: (name: string) => params.get(name),
    set: (name: string, value: string | undefined) =>
      void (value === undefined ? params.delete(name) : params.set(name, value)),
  };
  return { cards: new CardMemory(url), params };
}

test("a card keeps what differs and forgets what does not", () => {
  const { cards, params } = memory();
  cards.change("a", { step: 3, raw: true });
  cards.change("b", { step: 1 });
  expect(cards.of("a")).toEqual({ step: 3, raw: true });
  cards.change("a", { step: undefined, raw: undefined });
  expect(params.get("cards")).toBe('{"b":{"step":1}}');
  cards.change("b", { step: undefined });
  expect(params.has("cards")).toBe(false);
});

test("an address that is no such thing means nothing", () => {
  for (const cards of ["{", "[1]", "7", '{"a":7}', "null"]) expect(memory({ cards }).cards.of("a")).toEqual({});
  expect(memory({ closed: '{"x":1}' }).cards.names("closed").size).toBe(0);
});

test("a section is closed and opened again", () => {
  const { cards, params } = memory();
  cards.toggle("closed", "train/");
  expect([...cards.names("closed")]).toEqual(["train/"]);
  cards.toggle("closed", "train/");
  expect(params.has("closed")).toBe(false);
});
