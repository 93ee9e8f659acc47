"""`seamark top` in a real terminal: a pseudo-terminal of a given size, keys typed into it, its screen read back."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from seamark.cli import main
from seamark.store.test_support import append, curve, file_start, scalar_bytes

pytestmark = pytest.mark.timed

TIMEOUT_SECS = 30.0
PLACED = re.compile(r"\x1b\[(\d+);1H(.*?)\x1b\[0m\x1b\[K", re.DOTALL)
STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """The other end of a pseudo-terminal, with the little of a terminal that the program asks for."""

    def __init__(self, process: subprocess.Popen[bytes], end: int) -> None:
        self.process = process
        self.sent = ""
        self._end = end

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def screen(self) -> dict[int, str]:
        """The lines as last written, from the last clearing on; others are empty."""
        shown = self.sent.rpartition("\x1b[2J")[2]
        return defaultdict(str, {int(match[1]): STYLE.sub("", match[2]) for match in PLACED.finditer(shown)})

    def wait(self, is_so: Callable[[dict[int, str]], bool]) -> dict[int, str]:
        deadline = time.monotonic() + TIMEOUT_SECS
        while not is_so(self.screen()):
            assert time.monotonic() < deadline, self.screen()
            assert self.read(), (self.process.wait(TIMEOUT_SECS), self.sent[-2000:])
        return self.screen()

    def read(self) -> bool:
        """False at its end."""
        if not select.select([self._end], [], [], 0.5)[0]:
            return True
        try:
            data = os.read(self._end, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.sent += data.decode("utf-8", "replace")
        return bool(data)

    def ended(self) -> int:
        deadline = time.monotonic() + TIMEOUT_SECS
        while self.read():
            assert time.monotonic() < deadline, self.screen()
        return self.process.wait(TIMEOUT_SECS)


def take_terminal() -> None:
    """In the new process. A shell that starts tests in the background has Ctrl-C ignored in all that come from it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def top(logdir: Path, *flags: str, **environment: str) -> Iterator[Terminal]:
    command = ["-m", "seamark", "top", f"--logdir={logdir}", "--index_dir=none", "--state_dir=none", *flags]
    with python_in_terminal(*command, **environment) as terminal:
        yield terminal


@contextmanager
def python_in_terminal(*arguments: str, columns: int = 100, lines: int = 12, **environment: str) -> Iterator[Terminal]:
    end, theirs = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=take_terminal,
        env={**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment},
    )
    os.close(theirs)
    try:
        yield Terminal(process, end)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(TIMEOUT_SECS)
        os.close(end)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """Twenty runs whose loss ends at their number, and one metric more in the first."""
    for run in range(20):
        points = [(0, 100.0), (1, 50.0), (2, float(run))]
        append(tmp_path / f"run{run:02}" / "events.out.tfevents.1", file_start() + scalar_bytes("loss", points))
    append(tmp_path / "run00" / "events.out.tfevents.1", scalar_bytes("accuracy", [(0, 0.5)]))
    return tmp_path


def test_runs_are_shown_and_q_leaves_the_terminal_as_it_was(logdir: Path) -> None:
    with top(logdir) as terminal:
        terminal.wait(
            lambda screen: (
                screen[1].startswith("seamark top  20 runs")
                and "loss" in screen[1]
                and screen[2].startswith("RUN ")
                and screen[3].startswith("run00")
                and "█" in screen[3]
                and screen[12].startswith("q quit")
            )
        )
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.sent.startswith("\x1b[?1049h") and terminal.sent.endswith("\x1b[?1049l")
        assert "\x1b[?25h" in terminal.sent


def test_what_is_written_meanwhile_appears(logdir: Path) -> None:
    with top(logdir, "--interval=0.2") as terminal:
        terminal.wait(lambda screen: "run00" in screen.get(3, ""))
        append(logdir / "run00" / "events.out.tfevents.1", scalar_bytes("loss", curve(3, 9, scale=0.5)))
        terminal.wait(lambda screen: screen[3].split()[2:4] == ["8", "4"])
        append(logdir / "another" / "events.out.tfevents.1", file_start() + scalar_bytes("loss", [(0, 1.0)]))
        terminal.wait(lambda screen: "21 runs" in screen[1])


def test_keys_sort_scroll_and_choose_the_metric(logdir: Path) -> None:
    with top(logdir, "--sort=last", "--reverse") as terminal:
        terminal.wait(lambda screen: screen.get(3, "").startswith("run19"))
        terminal.type("r")
        terminal.wait(lambda screen: screen[3].startswith("run00"))
        terminal.type("G")
        terminal.wait(lambda screen: screen[11].startswith("run19"))
        terminal.type("g\x1b[B")
        terminal.wait(lambda screen: screen[3].startswith("run01"))
        terminal.type("m")
        terminal.wait(lambda screen: "accuracy" in screen[1] and screen[3].startswith("run01"))


def test_a_filter_is_typed_and_a_wrong_one_says_why(logdir: Path) -> None:
    with top(logdir) as terminal:
        terminal.wait(lambda screen: "run00" in screen.get(3, ""))
        terminal.type('/metric["loss"].last > 17')
        terminal.wait(lambda screen: "filter: metric" in screen[12])
        terminal.type("\r")
        terminal.wait(
            lambda screen: (
                "2 of 20 runs" in screen[1] and screen[3].startswith("run18") and screen[4].startswith("run19")
            )
        )
        terminal.type("/\x7f\x7fnope <\r")
        terminal.wait(lambda screen: not screen[12].startswith(("q quit", "filter")))
        terminal.type("\x1b")
        terminal.wait(lambda screen: screen[12].startswith("q quit") and "20 runs" in screen[1])


def test_help_comes_and_goes(logdir: Path) -> None:
    with top(logdir) as terminal:
        terminal.wait(lambda screen: "run00" in screen.get(3, ""))
        terminal.type("?")
        terminal.wait(lambda screen: any("next and previous metric" in line for line in screen.values()))
        terminal.type("x")
        terminal.wait(lambda screen: screen[3].startswith("run00"))


def test_another_size_is_another_picture(logdir: Path) -> None:
    with top(logdir, "--interval=60") as terminal:
        terminal.wait(lambda screen: "run00" in screen.get(3, ""))
        terminal.resize(44, 6)
        # Rows of the larger picture may still be on the screen when the first rows of the smaller one are.
        terminal.wait(
            lambda screen: (
                screen.get(6, "").startswith("q quit") and max(screen) == 6 and max(map(len, screen.values())) <= 44
            )
        )


SIGNAL_IN_ANOTHER_THREAD = """
import signal, threading
from seamark.cli.terminal.screen import Screen

with Screen().shown() as screen:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
    screen.draw(["waiting"])
    keys = screen.keys(60)
    screen.draw([f"woken with {keys}"])
    screen.keys(60)
"""


def test_a_resize_that_interrupts_no_system_call_wakes_it_too() -> None:
    """As when the signal comes right before the call. Here another thread takes it, which is so every time."""
    with python_in_terminal("-c", SIGNAL_IN_ANOTHER_THREAD) as terminal:
        terminal.wait(lambda screen: screen.get(1) == "waiting")
        terminal.resize(44, 6)
        terminal.wait(lambda screen: screen.get(1) == "woken with []")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_leaves_the_terminal_as_it_was(logdir: Path, number: signal.Signals, code: int) -> None:
    with top(logdir) as terminal:
        terminal.wait(lambda screen: "run00" in screen.get(3, ""))
        terminal.process.send_signal(number)
        assert terminal.ended() == code
        assert terminal.sent.endswith("\x1b[?1049l")


def test_control_c_ends_it(logdir: Path) -> None:
    with top(logdir) as terminal:
        terminal.wait(lambda screen: "run00" in screen.get(3, ""))
        terminal.type("\x03")
        assert terminal.ended() == 130
        assert terminal.sent.endswith("\x1b[?1049l")


def test_a_dumb_terminal_gets_it_once(logdir: Path) -> None:
    with top(logdir, TERM="dumb") as terminal:
        assert terminal.ended() == 0
        assert "\x1b" not in terminal.sent and "run19" in terminal.sent


def test_an_empty_log_directory_waits_for_runs(tmp_path: Path) -> None:
    with top(tmp_path) as terminal:
        terminal.wait(lambda screen: "0 runs" in screen.get(1, "") and "no metric" in screen[1])
        append(tmp_path / "a" / "events.out.tfevents.1", file_start() + scalar_bytes("loss", [(0, 1.0)]))
        terminal.wait(lambda screen: screen.get(3, "").startswith("a "))


def test_without_a_terminal_it_prints_once(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "top",
                "--logdir",
                str(logdir),
                "--sort",
                "last",
                "--query",
                'metric["loss"].last < 2',
                "--state_dir",
                "none",
            ]
        )
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seamark top  2 of 20 runs")
    assert [line.split()[0] for line in lines[2:]] == ["run00", "run01"]


def test_wrong_arguments_are_answered_with_a_sentence(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["top", "--logdir", str(logdir / "nowhere")]) == 2
    assert main(["top", "--logdir", str(logdir), "--query", "los < 1"]) == 2
    captured = capsys.readouterr()
    assert "no such log directory" in captured.err and "los" in captured.err and captured.out == ""
