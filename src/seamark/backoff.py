"""Backoff: how long to wait after a failure. Doubles, with jitter, so that 200 trainers do not come back at once."""

from __future__ import annotations

import random

FIRST_SECS = 0.5
MAX_SECS = 60.0


class Backoff:
    def __init__(self, *, first_secs: float = FIRST_SECS, max_secs: float = MAX_SECS) -> None:
        self._first_secs, self._max_secs = first_secs, max_secs
        self._failures = 0

    @property
    def is_failing(self) -> bool:
        """Whether the last attempt failed."""
        return self._failures > 0

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self, at_least_secs: float = 0.0) -> float:
        """Returns how long to wait."""
        ceiling = min(self._max_secs, self._first_secs * 2.0 ** min(self._failures, 16))
        self._failures += 1
        return max(at_least_secs, ceiling * random.uniform(0.5, 1.0))
