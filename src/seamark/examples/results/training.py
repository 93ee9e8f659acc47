"""Results along training: how predictions of the same examples change from step to step."""

from __future__ import annotations

from seamark.examples.results.result import Condition, Result


class StepError(Result):
    step: int
    rows: int
    error: float | None  # the share of wrong predictions, or the mean absolute error
    low: float | None
    high: float | None


class SliceOverSteps(Result):
    name: str
    conditions: tuple[Condition, ...]
    steps: tuple[StepError, ...]


class TrackedExample(Result):
    """`forgotten`: times it went from right to wrong. `flips`: times that its prediction changed."""

    row: int
    forgotten: int
    flips: int
    first_learned: int | None  # the step from which it stays right; None: never
    mean_loss: float
    scores: tuple[float | None, ...]  # by step
    is_right: tuple[bool | None, ...]


class TrainingResult(Result):
    steps: tuple[int, ...]
    slices: tuple[SliceOverSteps, ...]
    most_forgotten: tuple[TrackedExample, ...]
    most_flips: tuple[TrackedExample, ...]
    hardest: tuple[TrackedExample, ...]
    never_learned: int
    always_right: int
    notes: tuple[str, ...]
