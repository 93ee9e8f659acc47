"""The runs that every importer yields, with scalar series, payloads and facts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.run_record import Metric

if TYPE_CHECKING:
    from seamark.format.messages import Summary

UNKNOWN_WALL = float("nan")
STEP_MIN, STEP_MAX = -(2**63), 2**63 - 1


class SourceError(ValueError):
    """The source cannot be read; the message is one sentence for the user."""


class Points:
    """One scalar series in the source's order. An unknown wall time is NaN."""

    def __init__(self) -> None:
        self._steps, self._walls, self._values = array("q"), array("d"), array("d")

    def add(self, step: int, wall: float, value: float) -> None:
        self._steps.append(step)
        self._walls.append(wall)
        self._values.append(value)

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def steps(self) -> NDArray[np.int64]:
        return np.frombuffer(self._steps, np.int64) if self._steps else np.empty(0, np.int64)

    @property
    def walls(self) -> NDArray[np.float64]:
        return np.frombuffer(self._walls, np.float64) if self._walls else np.empty(0, np.float64)

    @property
    def values(self) -> NDArray[np.float64]:
        return np.frombuffer(self._values, np.float64) if self._values else np.empty(0, np.float64)


@dataclass(frozen=True, slots=True)
class Payload:
    """An image, a histogram or a text. It is encoded when it is written, so that few are in memory at once."""

    tag: str
    step: int
    wall: float
    make: Callable[[], Summary.Value]


@dataclass(kw_only=True)
class SourceRun:
    """`id` is the permanent id in the source; `name` is shown to people and may contain slashes."""

    source: str
    id: str
    name: str
    scalars: dict[str, Points] = field(default_factory=dict)
    payloads: list[Payload] = field(default_factory=list)
    params: Mapping[str, Any] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    status: str = ""  # "" (unknown), "running", "finished", "failed", "crashed" or "killed"
    # As in run.json.
    labels: tuple[str, ...] = ()
    group: str = ""
    job_type: str = ""
    summary: Mapping[str, Any] = field(default_factory=dict)
    metrics: tuple[Metric, ...] = ()
    exit_code: int | None = None
    host: str = ""
    start: float = UNKNOWN_WALL
    end: float = UNKNOWN_WALL
    # Messages for the user after the import, such as data that was left out.
    remarks: list[str] = field(default_factory=list)

    def points(self, tag: str) -> Points:
        """The series of a tag; creates it on first use."""
        found = self.scalars.get(tag)
        if found is None:
            # JSON can contain half a surrogate pair, which a file cannot store.
            whole = tag.encode("utf-8", "replace").decode()
            found = self.scalars.setdefault(whole, Points())
        return found


Progress = Callable[[int, int], None]  # done, of how much
OnBytes = Callable[[int], None]


def shifted(progress: Progress, before: int, total: int) -> OnBytes:
    """The progress within one of several files."""
    return lambda done: progress(before + done, total)


def as_step(value: object) -> int | None:
    """The value as a step; None if it is not a whole number in range."""
    try:
        number = int(value)  # type: ignore[call-overload]
        is_whole = float(value) == number  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return int(number) if is_whole and STEP_MIN <= number <= STEP_MAX else None
