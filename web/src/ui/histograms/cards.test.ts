import { expect, test } from "vitest";
import { cardsOf } from "./cards";

test("runs stand side by side or in one card, hidden ones in none", () => {
  const entry = { tag: "w", runs: ["a", "b", "c"] };
  expect(cardsOf(entry, ["b", "a"], false).map(({ key }) => key)).toEqual(["w\nb", "w\na"]);
  expect(cardsOf(entry, ["a"], true)).toEqual([{ key: "w", tag: "w", runs: ["a"] }]);
  expect(cardsOf(entry, ["d"], true)).toEqual([]);
});
