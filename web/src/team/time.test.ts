import { expect, test } from "vitest";
import { formatAge, formatExpiry } from "./time";

const NOW = 1_800_000_000;

test.each([
  [5, "just now"],
  [150, "2 m ago"],
  [3 * 3600 + 1800, "3 h ago"],
  [5 * 86_400 + 3600, "5 d ago"],
])("%i s before now is %j", (age, words) => expect(formatAge(NOW - age, NOW)).toBe(words));

test("what is older than a month has its date", () =>
  expect(formatAge(NOW - 40 * 86_400, NOW)).toMatch(/^\d{4}-\d{2}-\d{2}$/));

test.each([
  [null, "never expires"],
  [NOW + 7 * 86_400 - 10, "expires in 7 d"],
  [NOW + 6.5 * 86_400, "expires in 6 d"],
  [NOW + 20, "expires in 1 m"],
  [NOW - 20, "expired just now"],
  [NOW - 7200, "expired 2 h ago"],
])("%j", (at, words) => expect(formatExpiry(at, NOW)).toBe(words));
