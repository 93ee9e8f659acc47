"""The terminal in full-screen mode: size, keys and drawing. Restores it on exit."""

from __future__ import annotations

import os
import re
import select
import signal
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # alternate screen, no cursor, no wrapping
LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
KEYS = {
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down", "\x1b[C": "right", "\x1bOC": "right",
    "\x1b[D": "left", "\x1bOD": "left", "\x1b[5~": "page_up", "\x1b[6~": "page_down", "\x1b[H": "home",
    "\x1bOH": "home", "\x1b[1~": "home", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b": "escape",
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace",
}  # fmt: skip
SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)


def can_show(out: int, terminal: str | None) -> bool:
    """Whether input and output are a terminal that can position the cursor."""
    return os.isatty(0) and os.isatty(out) and terminal not in (None, "", "dumb")


def keys_in(text: str) -> list[str]:
    """Splits input into names of special keys and printable characters."""
    found = (match[0] for match in SEQUENCE.finditer(text))
    return [KEYS.get(sign, sign) for sign in found if sign in KEYS or sign.isprintable()]


class Screen:
    """Used inside `shown()`. `wake` may be called from any thread and from signal handlers."""

    def __init__(self, out: int = 1) -> None:
        self._out = out
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        os.set_blocking(self._wake_read, False)
        self._drawn: list[str] = []
        self._size = (0, 0)
        self._before: list[Any] | None = None

    @contextmanager
    def shown(self) -> Iterator[Screen]:
        handlers = {
            signal.SIGWINCH: _only_wake,
            signal.SIGTSTP: self._suspended,
            signal.SIGTERM: _end,
            signal.SIGHUP: _end,
        }
        # Python runs a handler only after the system call that waits. One that came right before it wakes it this way.
        fd_before = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            self._enter()
            yield self
        finally:
            self._leave()
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(fd_before)
            os.close(self._wake_read)
            os.close(self._wake_write)

    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        try:
            size = os.get_terminal_size(self._out)
        except OSError:
            return 80, 24
        return max(size.columns, 1), max(size.lines, 1)

    def draw(self, lines: Sequence[str]) -> None:
        """Writes the lines that changed."""
        size = self.size()
        if size != self._size:
            self._size, self._drawn = size, []
            self._write("\x1b[2J")
        wanted = list(lines[: size[1]])
        wanted += [""] * (size[1] - len(wanted))
        changed = [
            f"\x1b[{at + 1};1H{line}\x1b[0m\x1b[K"
            for at, line in enumerate(wanted)
            if at >= len(self._drawn) or self._drawn[at] != line
        ]
        self._drawn = wanted
        if changed:
            self._write("".join(changed))

    def keys(self, timeout_secs: float) -> list[str] | None:
        """Keys pressed before the timeout; [] on timeout or `wake`, None if the terminal is closed."""
        ready, _, _ = select.select([0, self._wake_read], [], [], max(timeout_secs, 0.0))
        if self._wake_read in ready:
            with suppress(BlockingIOError):
                os.read(self._wake_read, 4096)
        if 0 not in ready:
            return []
        data = os.read(0, 4096)
        return keys_in(data.decode("utf-8", "ignore")) if data else None

    def wake(self) -> None:
        # A full pipe wakes the reader anyway; a closed one has no reader.
        with suppress(BlockingIOError, OSError):
            os.write(self._wake_write, b"!")

    def _enter(self) -> None:
        self._before = termios.tcgetattr(0)
        tty.setcbreak(0)  # Ctrl-C and Ctrl-Z still work
        self._drawn, self._size = [], (0, 0)
        self._write(ENTER)

    def _leave(self) -> None:
        with suppress(OSError):  # the terminal may be closed
            self._write(LEAVE)
        if self._before is not None:
            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._before)

    def _suspended(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: restores the shell's screen, and enters ours again on `fg`."""
        self._leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._enter()
        self.wake()

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            try:
                data = data[os.write(self._out, data) :]
            except BlockingIOError:
                select.select([], [self._out], [])


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _only_wake(number: int, frame: FrameType | None) -> None:
    """The signal wakes the reader of `keys` by itself, if it has a handler."""
