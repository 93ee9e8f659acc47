import { expect, test } from "vitest";
import { cardsOf, explodedLast } from "./cards";

test("runs stand side by side or in one card, hidden ones in none", () => {
  const entry = { tag: "w", runs: ["a", "b", "c"] };
  expect(cardsOf(entry, ["b", "a"], false).map(({ key }) => key)).toEqual(["w\nb", "w\na"]);
  expect(cardsOf(entry, ["a"], true)).toEqual([{ key: "w", tag: "w", runs: ["a"] }]);
  expect(cardsOf(entry, ["d"], true)).toEqual([]);
});

test("runs that exploded come last, the others keep their order", () => {
  expect(explodedLast(["c", "a", "b"], new Set(["c"]))).toEqual(["a", "b", "c"]);
  expect(explodedLast(["c", "a"], new Set())).toEqual(["c", "a"]);
});
