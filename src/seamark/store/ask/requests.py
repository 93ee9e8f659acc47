"""What a store is asked for, as one value: the parts of series that charts and cards show."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from seamark.store.ask.answers import ROW_COLUMNS

AXES = ("step", "relative", "wall")
ATTEMPTS = ("latest", "all", "marked")


class ScalarRequest(Struct, frozen=True):
    """As `RunStore.scalars` describes it. ValueError for what no store can answer."""

    axis: str
    start: float | None
    stop: float | None
    max_points: int
    smoothing: float
    attempts: str
    edges: bool
    columns: Sequence[str] | None

    def __post_init__(self) -> None:
        check_choice("axis", self.axis, AXES)
        check_choice("attempts", self.attempts, ATTEMPTS)
        if not 0 <= self.smoothing <= 1:
            raise ValueError("smoothing must be between 0 and 1")
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
