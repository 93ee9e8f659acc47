import { expect, test } from "vitest";
import { currentStepOf, meanStepNs, nearestStep } from "./steps";

const step = (start_ns: number, duration_ns: number) => ({ name: "s", number: 1, start_ns, duration_ns, note: "" });
const STEPS = [step(0, 100), step(100, 100), step(200, 100)];

test("the step in the middle of the window, if it takes enough of it", () => {
  expect(currentStepOf(STEPS, { start: 90, end: 210 })).toBe(1);
  expect(currentStepOf(STEPS, { start: 0, end: 300 })).toBe(-1);
  expect(currentStepOf(STEPS, { start: 180, end: 290 })).toBe(2);
  expect(currentStepOf(STEPS, { start: 400, end: 500 })).toBe(-1);
  expect(currentStepOf([], { start: 0, end: 1 })).toBe(-1);
});

test("the nearest step", () => {
  expect(nearestStep(STEPS, 150)).toBe(1);
  expect(nearestStep(STEPS, 900)).toBe(2);
  expect(nearestStep([], 5)).toBe(-1);
});

test("one step has no mean to be compared with", () => {
  expect(meanStepNs(STEPS)).toBe(100);
  expect(meanStepNs([...STEPS, { ...step(300, 900), note: "incomplete" }])).toBe(100);
  expect(meanStepNs(STEPS.slice(0, 1))).toBeNull();
});
