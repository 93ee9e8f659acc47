"""One line that fills up on a terminal; a plain line now and then where the output is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

BAR_CELLS = 30
PLAIN_LINE_SECS = 10.0


class ProgressBar:
    """Shows bytes done of bytes total. The clock is given in, for tests."""

    def __init__(self, out: TextIO, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._is_terminal = out.isatty()
        self._last_line = clock()

    def show(self, done: int, total: int, note: str) -> None:
        """Draws the state; on a terminal in place, else at most one line every ten seconds."""
        share = done / total if total else 1.0
        if self._is_terminal:
            filled = round(share * BAR_CELLS)
            bar = "█" * filled + "░" * (BAR_CELLS - filled)
            self._out.write(f"\r\x1b[K{bar} {share:4.0%}  {note}")
            self._out.flush()
        elif self._clock() - self._last_line >= PLAIN_LINE_SECS:
            self._last_line = self._clock()
            self._out.write(f"{share:4.0%}  {note}\n")
            self._out.flush()

    def clear(self) -> None:
        """Takes the bar off the terminal again, for what is printed next."""
        if self._is_terminal:
            self._out.write("\r\x1b[K")
            self._out.flush()
