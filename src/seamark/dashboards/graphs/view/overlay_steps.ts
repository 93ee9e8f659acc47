/** The steps that the overlay can be shown at: those of run metadata, or those at which layers logged something. */

import type { GraphModel } from "./graph_model.svelte";

export interface OverlaySteps {
  readonly steps: readonly number[];
  readonly at: number;
  move(index: number): void;
}

type StepModel = Pick<GraphModel, "colour" | "profile" | "step" | "setProfile" | "setStep" | "overlaySteps"> & {
  readonly entry: Pick<NonNullable<GraphModel["entry"]>, "profiles"> | null;
};

/** Null if there is nothing to choose. */
export function overlayStepsOf(model: StepModel): OverlaySteps | null {
  const found = model.colour === "health" ? healthSteps(model) : isTimed(model.colour) ? profileSteps(model) : null;
  return found && found.steps.length > 1 ? found : null;
}

const isTimed = (colour: string): boolean => colour === "time" || colour === "memory";

function healthSteps(model: StepModel): OverlaySteps {
  const { step, overlaySteps: steps } = model;
  const at = step === null ? steps.length - 1 : steps.findLastIndex((each) => each <= step);
  return { steps, at, move: (index) => model.setStep(steps[index]!) };
}

function profileSteps(model: StepModel): OverlaySteps {
  const profiles = [...(model.entry?.profiles ?? [])].sort((a, b) => a.step - b.step);
  const at = profiles.findIndex(({ tag }) => tag === model.profile);
  return { steps: profiles.map(({ step }) => step), at, move: (index) => model.setProfile(profiles[index]!.tag) };
}
