from __future__ import annotations

import io

from seamark.cli.progress_bar import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_one_line_that_fills_up() -> None:
    out = Terminal()
    bar = ProgressBar(out)
    bar.show(50, 100, "1 of 2 files")
    bar.show(100, 100, "2 of 2 files")
    bar.clear()
    drawn = out.getvalue().split("\r\x1b[K")
    assert drawn == ["", "█" * 15 + "░" * 15 + "  50%  1 of 2 files", "█" * 30 + " 100%  2 of 2 files", ""]


def test_a_file_gets_a_plain_line_now_and_then() -> None:
    out, now = io.StringIO(), [0.0]
    bar = ProgressBar(out, clock=lambda: now[0])
    for secs in range(25):
        now[0] = float(secs)
        bar.show(secs, 100, "so far")
    bar.clear()
    assert out.getvalue() == " 10%  so far\n 20%  so far\n"


def test_nothing_to_do_is_done() -> None:
    out = Terminal()
    ProgressBar(out).show(0, 0, "0 of 0 files")
    assert "100%" in out.getvalue()
