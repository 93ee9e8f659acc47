from __future__ import annotations

import io
import re

import pytest

from seamark.cli.output.progress_bar import ProgressBar

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


def test_a_terminal_shows_one_line_that_fills_up(terminal: Terminal) -> None:
    now = [0.0]
    with ProgressBar(terminal, clock=lambda: now[0]) as bar:
        bar.show(50, 100, "1 of 2 files")
        bar.show(60, 100, "too soon to redraw")
        now[0] = 1.0
        bar.show(100, 100, "2 of 2 files")
    drawn = CODES.sub("", terminal.getvalue())
    assert "too soon" not in drawn
    assert re.search(r"━ +50% 1 of 2 files", drawn) and re.search(r"━{30} +100% 2 of 2 files", drawn)


def test_the_bar_is_removed_and_the_cursor_shown_again_after_an_error(terminal: Terminal) -> None:
    with pytest.raises(KeyboardInterrupt), ProgressBar(terminal) as bar:
        bar.show(1, 2, "so far")
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith("\x1b[2K") and "\x1b[?25h" in terminal.getvalue().rsplit("so far", 1)[1]


def test_a_bar_can_be_drawn_again_after_other_output(terminal: Terminal) -> None:
    now = [0.0]
    with ProgressBar(terminal, clock=lambda: now[0]) as bar:
        bar.show(1, 2, "before")
        bar.clear()
        now[0] = 1.0
        terminal.write("output\n")
        bar.show(2, 2, "after")
    assert re.search(r"before.*output.*after", terminal.getvalue(), re.DOTALL)


def test_notes_are_shown_literally(terminal: Terminal) -> None:
    with ProgressBar(terminal) as bar:
        bar.show(1, 2, "[bold]{run}[/]\x07\x1b]0;title")
    assert "[bold]{run}[/]��]0;title" in CODES.sub("", terminal.getvalue())


def test_a_long_note_is_cut_and_the_bar_is_not(terminal: Terminal) -> None:
    with ProgressBar(terminal) as bar:
        bar.show(2, 2, "長" * 100)
    drawn = CODES.sub("", terminal.getvalue())
    assert "━" * 30 + "  100% 長" in drawn and "長…" in drawn and drawn.count("\n") == 1


def test_a_file_gets_a_plain_line_now_and_then() -> None:
    out, now = io.StringIO(), [0.0]
    with ProgressBar(out, clock=lambda: now[0]) as bar:
        for secs in range(25):
            now[0] = float(secs)
            bar.show(secs, 100, "so far")
    assert out.getvalue() == " 10%  so far\n 20%  so far\n"


def test_nothing_to_do_is_done(terminal: Terminal) -> None:
    with ProgressBar(terminal) as bar:
        bar.show(0, 0, "0 of 0 files")
    assert "100%" in terminal.getvalue()
