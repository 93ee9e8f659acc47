import { expect, test } from "vitest";
import { indexOfStep, jointSteps } from "./linked.svelte";

test("one slider for two series begins at the newest step that counts, and reaches those that were replaced", () => {
  const joint = jointSteps([
    { steps: [0, 5, 10], newest: 2 },
    { steps: [0, 4, 20, 30], newest: 1 },
  ]);
  expect(joint.steps).toEqual([0, 4, 5, 10, 20, 30]);
  expect(indexOfStep(joint, null)).toBe(3);
  expect(indexOfStep(joint, 30)).toBe(5);
  expect(indexOfStep(joint, 6)).toBe(2);
});

test("without steps there is no index", () => {
  expect(indexOfStep(jointSteps([{ steps: [], newest: -1 }]), null)).toBe(-1);
});
