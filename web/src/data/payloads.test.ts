import { expect, test } from "vitest";
import { newestOf } from "./payloads";

test("the newest payload is the last one that counts, or the last one where none does", () => {
  expect(newestOf({ steps: [0, 1, 2], replaced: 0 })).toBe(2);
  expect(newestOf({ steps: [0, 1, 2], replaced: 2 })).toBe(0);
  expect(newestOf({ steps: [0, 1, 2], replaced: 3 })).toBe(2);
  expect(newestOf({ steps: [], replaced: 0 })).toBe(-1);
});
