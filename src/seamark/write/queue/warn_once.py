"""Reports each problem once, so that logging neither stops a training nor floods its console."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MAX_REASON_CHARACTERS = 300


def describe_error(error: Exception) -> str:
    """The type and the first line. Some messages go on for pages, or show all numbers of a tensor."""
    line = str(error).strip().partition("\n")[0]
    shown = line if len(line) <= MAX_REASON_CHARACTERS else f"{line[:MAX_REASON_CHARACTERS]}…"
    return f"{type(error).__name__}: {shown}"


class WarnOnce:
    """Logs one warning per key. `where` is the folder or run that the warnings are about.

    Without a logging configuration, Python prints warnings to stderr.
    """

    def __init__(self, logger: logging.Logger, where: str) -> None:
        self._logger = logger
        self._where = where
        self._reported: set[str] = set()

    def warn(self, key: str, problem: str) -> None:
        """Logs the problem, unless one with the same key was logged before."""
        if key in self._reported:
            return
        self._reported.add(key)
        # Names may not be UTF-8: most handlers cannot write them.
        shown, where = (text.encode(errors="backslashreplace").decode() for text in (problem, self._where))
        with suppress(Exception):  # a logging handler of the program failed
            self._logger.warning("seamark: %s (reported once): '%s'", shown, where)

    def reset(self, key: str) -> None:
        """The problem is over: report it again when it comes back."""
        self._reported.discard(key)

    @contextmanager
    def guard(self, key: str, problem: str) -> Iterator[None]:
        """Turns an exception of the block into a warning."""
        try:
            yield
        except Exception as error:
            self.warn_of(error, key, problem)

    def warn_of(self, error: Exception, key: str, problem: str) -> None:
        """What guard() does; for calls that are made every step, where a context takes most of the time."""
        if not sys.is_finalizing():
            self.warn(key, f"{problem} ({describe_error(error)})")
