"""RawScores: what a model returned for some rows, before the schema of the set says what it means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RawScores:
    """`values` are scores, [rows] or [rows, classes]; or, if `is_labels`, positions in `classes`."""

    values: NDArray[np.float64]
    classes: tuple[str, ...] = ()  # () if the model does not say
    is_labels: bool = False
    is_classifier: bool | None = None
    secs: float = 0.0  # the model's own time
    note: str = ""  # how the scores were made

    def __len__(self) -> int:
        return len(self.values)
