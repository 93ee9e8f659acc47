import { expect, test, vi } from "vitest";
import { overlayStepsOf } from "./overlay_steps";

const model = {
  colour: "time",
  profile: "b",
  step: null as number | null,
  entry: { profiles: [{ tag: "a", step: 20 }, { tag: "b", step: 10 }] }, // prettier-ignore
  overlaySteps: [0, 5, 9],
  setProfile: vi.fn(),
  setStep: vi.fn(),
};

test("run metadata is chosen by its step, in order", () => {
  const found = overlayStepsOf(model)!;
  expect([found.steps, found.at]).toEqual([[10, 20], 0]);
  found.move(1);
  expect(model.setProfile).toHaveBeenCalledWith("a");
});

test("health has the steps of what was logged, and the last one by default", () => {
  expect(overlayStepsOf({ ...model, colour: "health" })!.at).toBe(2);
  const found = overlayStepsOf({ ...model, colour: "health", step: 7 })!;
  expect([found.steps, found.at]).toEqual([[0, 5, 9], 1]);
  found.move(0);
  expect(model.setStep).toHaveBeenCalledWith(0);
});

test("a single step and other colours leave nothing to choose", () => {
  expect(overlayStepsOf({ ...model, entry: { profiles: [{ tag: "a", step: 1 }] } })).toBeNull();
  expect(overlayStepsOf({ ...model, colour: "op" })).toBeNull();
});
