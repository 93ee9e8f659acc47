"""Logging never ends or slows a training: what goes wrong is said once per kind, and the program goes on."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Trouble:
    """What one run has complained about already."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._said: set[str] = set()

    def say(self, kind: str, what: str) -> None:
        if kind in self._said:
            return
        self._said.add(kind)
        with suppress(Warning):  # turned into an error by a filter
            warnings.warn(f"{what}; said once, training goes on: '{self._where}'", RuntimeWarning, stacklevel=4)

    @contextmanager
    def guarded(self, kind: str, what: str) -> Iterator[None]:
        """Whatever happens inside ends here."""
        try:
            yield
        except Exception as error:
            if not sys.is_finalizing():
                self.say(kind, f"{what} ({type(error).__name__}: {error})")
