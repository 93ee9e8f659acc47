"""A progress bar on a terminal, and a plain line every few seconds elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, TextIO

from seamark.cli.output.text import fitted, printable

if TYPE_CHECKING:
    from rich.progress import Progress

BAR_CELLS = 30
REDRAW_SECS = 0.1
PLAIN_LINE_SECS = 10.0


class ProgressBar:
    """A context manager: leaving it removes the bar and shows the cursor again. `clock` can be replaced in tests."""

    def __init__(self, out: TextIO, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._is_terminal = out.isatty() and os.environ.get("TERM") != "dumb"
        self._next_secs = clock() + (0.0 if self._is_terminal else PLAIN_LINE_SECS)
        self._drawn: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, done: int, total: int, note: str) -> None:
        """Redraws the bar on a terminal, at most every 0.1 s; elsewhere prints at most one line every ten seconds."""
        now = self._clock()
        if now < self._next_secs:
            return
        self._next_secs = now + (REDRAW_SECS if self._is_terminal else PLAIN_LINE_SECS)
        share = done / total if total else 1.0
        if self._is_terminal:
            self._draw(share, note)
        else:
            self._out.write(f"{share:4.0%}  {printable(note)}\n")
            self._out.flush()

    def _draw(self, share: float, note: str) -> None:
        if self._drawn is None:
            self._drawn = _start_bar(self._out)
        # Cut here, because rich takes the room for a long note from the bar.
        fitting = fitted(note, self._drawn.console.width - BAR_CELLS - len("  100% ")).rstrip()
        self._drawn.update(self._drawn.task_ids[0], completed=share, description=fitting, refresh=True)

    def clear(self) -> None:
        """Removes the bar from the terminal before other output."""
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None


def _start_bar(out: TextIO) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        BarColumn(BAR_CELLS),
        TextColumn("{task.percentage:>4.0f}%", markup=False),
        TextColumn("{task.description}", markup=False),
    )
    console = Console(file=out, force_terminal=True, force_jupyter=False)
    bar = Progress(
        *columns, console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    bar.add_task("", total=1.0)
    bar.start()
    return bar
