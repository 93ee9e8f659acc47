import { expect, test } from "vitest";
import { barsOf } from "./model";

test("the longest run comes first, and hidden runs do not come at all", () => {
  expect(barsOf({ a: 5, b: 10, c: 99 }, ["a", "b", "new"])).toEqual([
    { run: "b", points: 10, share: 1 },
    { run: "a", points: 5, share: 0.5 },
  ]);
  expect(barsOf({}, ["a"])).toEqual([]);
});
