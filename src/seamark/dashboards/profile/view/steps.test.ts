import { expect, test } from "vitest";
import { countComplete } from "./steps";

test("incomplete steps count only if there are no others", () => {
  const steps = (...notes: string[]): { note: string }[] => notes.map((note) => ({ note }));
  expect(countComplete(steps("warm-up", "", "incomplete"))).toBe(2);
  expect(countComplete(steps("incomplete"))).toBe(1);
  expect(countComplete([])).toBe(0);
});
