import { expect, test } from "vitest";
import { parseWindows, serialiseWindows } from "./card_deck.svelte";

test("what was zoomed comes back from the address", () => {
  const windows = {
    "a/b\nrun": { along: { from: 10, to: 20 }, value: null },
    c: { along: null, value: { from: -1, to: 1 } },
  };
  expect(parseWindows(serialiseWindows(windows))).toEqual(windows);
  expect(serialiseWindows({ a: { along: null, value: null } })).toBeUndefined();
});

test("an address from anywhere does no harm", () => {
  for (const text of [undefined, "", "{", "[]", "7", '{"a":7}']) expect(parseWindows(text)).toEqual({});
  expect(parseWindows('{"a":[[5,1],["x",2]]}')).toEqual({ a: { along: null, value: null } });
});
