import { expect, test } from "vitest";
import { passwordProblem } from "./password";

test("a short password, and two that differ", () => {
  expect(passwordProblem("short", "short")).toContain("has 5");
  expect(passwordProblem("correct horse", "correct house")).toBe("The two passwords differ.");
  expect(passwordProblem("correct horse", "correct horse")).toBe("");
});
