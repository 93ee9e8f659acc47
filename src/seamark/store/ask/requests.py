"""What a store is asked for, as one value: the parts of series that charts and cards show."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from seamark.store.ask.answers import ROW_COLUMNS

AXES = ("step", "relative", "wall")
ATTEMPTS = ("latest", "all", "marked")
SMOOTHING_MODES = ("fixed", "adaptive")


class Smoothing(Struct, frozen=True):
    """The moving average of series of at least 20 points: TensorBoard's, by a weight from each point to the next."""

    weight: float = 0.0
    # "fixed": the share of the average that stays. "adaptive": the half-life, as a share of the visible range.
    mode: str = "fixed"
    # Adaptive: the width of the visible range in units of the axis. Default: the requested window.
    visible: float | None = None

    def __post_init__(self) -> None:
        check_choice("smoothing mode", self.mode, SMOOTHING_MODES)
        if not 0 <= self.weight <= 1:
            raise ValueError("smoothing must be between 0 and 1")


class ScalarRequest(Struct, frozen=True):
    """As `RunStore.scalars` describes it. ValueError for what no store can answer."""

    axis: str
    start: float | None
    stop: float | None
    max_points: int
    smoothing: Smoothing
    attempts: str
    edges: bool
    columns: Sequence[str] | None

    def __post_init__(self) -> None:
        check_choice("axis", self.axis, AXES)
        check_choice("attempts", self.attempts, ATTEMPTS)
        for name in self.columns or ():
            if name not in ROW_COLUMNS:
                raise ValueError(f"no such column: {name}")


class HistogramRequest(Struct, frozen=True):
    """As `RunStore.histograms` describes it."""

    attempts: str
    axis: str
    start: float | None
    stop: float | None
    limit: int

    def __post_init__(self) -> None:
        check_choice("axis", self.axis, AXES)


def check_choice(what: str, got: str, choices: Sequence[str]) -> None:
    if got not in choices:
        raise ValueError(f"unknown {what}: got {got!r}, want one of {', '.join(choices)}")
