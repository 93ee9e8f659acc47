"""Logging never ends or slows a training: what goes wrong is told once per kind of problem, and the program goes on."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class WarnOnce:
    """Warns once per kind of problem, as a RuntimeWarning that ends in `where`."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._kinds: set[str] = set()

    def warn(self, kind: str, what: str) -> None:
        if kind in self._kinds:
            return
        self._kinds.add(kind)
        with suppress(Warning):  # turned into an error by a filter
            warnings.warn(f"{what}; said once, training goes on: '{self._where}'", RuntimeWarning, stacklevel=4)

    def reset(self, kind: str) -> None:
        """The problem is over; when it comes back, it is told again."""
        self._kinds.discard(kind)

    @contextmanager
    def guarded(self, kind: str, what: str) -> Iterator[None]:
        """Suppresses every exception of its block, after a warning."""
        try:
            yield
        except Exception as error:
            if not sys.is_finalizing():
                self.warn(kind, f"{what} ({type(error).__name__}: {error})")
