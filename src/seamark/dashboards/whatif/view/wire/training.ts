/** How predictions change along training. The same types as in Python. */

import type { Condition } from "./result";

export interface StepError {
  readonly step: number;
  readonly rows: number;
  readonly error: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface SliceOverSteps {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly steps: readonly StepError[];
}

/** `forgotten`: times it went from right to wrong. `flips`: times that its prediction changed. */
export interface TrackedExample {
  readonly row: number;
  readonly forgotten: number;
  readonly flips: number;
  readonly first_learned: number | null;
  readonly mean_loss: number;
  readonly scores: readonly (number | null)[];
  readonly is_right: readonly (boolean | null)[];
}

export interface TrainingResult {
  readonly steps: readonly number[];
  readonly slices: readonly SliceOverSteps[];
  readonly most_forgotten: readonly TrackedExample[];
  readonly most_flips: readonly TrackedExample[];
  readonly hardest: readonly TrackedExample[];
  readonly never_learned: number;
  readonly always_right: number;
  readonly notes: readonly string[];
}
