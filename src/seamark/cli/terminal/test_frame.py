"""The lines of the screen, and parsing of keys."""

from __future__ import annotations

import math

import pytest

from seamark.cli.output.text import age, fitted, number, printable, sparkline, width_of
from seamark.cli.terminal.frame import Choices, Facts, Look, Row, frame, layout
from seamark.cli.terminal.screen import keys_in

PLAIN = Look(is_coloured=False)
FACTS = Facts(total=2, matched=2, live=1, loading="", clock="12:00:00")
ROWS = [
    Row("first", "running", 1200, 0.25, 0.125, 3.0, 4.0, [3.0, 1.0, 0.25]),
    Row("second", "crashed", None, math.nan, None, None, None, []),
]


def screen(
    width: int, height: int, choices: Choices | None = None, rows: list[Row] = ROWS, look: Look = PLAIN
) -> list[str]:
    return frame(rows, FACTS, choices or Choices(metric="loss"), width=width, height=height, look=look)


def test_the_screen_has_a_header_runs_and_keys() -> None:
    lines = screen(100, 8)
    assert len(lines) == 8
    assert lines[0].startswith("seamark top  2 runs  1 live  loss  12:00:00")
    assert lines[1].split() == ["RUN", "STATUS", "STEP", "LAST", "MIN", "MAX", "UPDATED"]
    assert lines[2].split() == ["first", "running", "1,200", "0.25", "0.125", "3", "4", "s", "█▃▁"]
    assert lines[3].split() == ["second", "crashed", "–", "NaN", "–", "–", "–"]
    assert lines[7].startswith("q quit") and "1–2" in lines[7]


@pytest.mark.parametrize("width", [1, 5, 12, 20, 40, 60, 80, 200])
@pytest.mark.parametrize("height", [1, 2, 3, 4, 10])
def test_the_frame_fits_the_terminal(width: int, height: int) -> None:
    rows = [Row("学習/" + "長" * 40, "running", 10**12, -1.23456e-300, 1e300, math.inf, 1e9, [1.0] * 300)]
    for choices in (
        Choices(metric="m" * 300),
        Choices(typed="x" * 300),
        Choices(problem="y" * 300),
        Choices(is_help=True),
    ):
        lines = screen(width, height, choices, rows)
        assert len(lines) <= height
        assert [line for line in lines if width_of(line) > width] == []


def test_narrow_terminals_drop_columns_before_names() -> None:
    names = {width: [cell.sort for cell in layout(width, 20)[0]] for width in (120, 80, 60, 40)}
    assert names[120] == ["status", "step", "last", "min", "max", "updated"]
    assert names[80] == ["status", "step", "last", "updated"]
    assert names[60] == ["step", "last"]
    assert names[40] == ["last"]


def test_control_characters_in_names_are_escaped() -> None:
    name = "\x1b[2J\x1b]0;title\x07evil\r\n\u202eback"
    line = screen(100, 5, rows=[Row(name, "idle\x1b[31m")])[2]
    assert "\x1b" not in line and "\x07" not in line and "\u202e" not in line
    assert "evil" in line
    assert printable("plain") == "plain"


def test_colours_surround_cells_if_enabled() -> None:
    line = screen(100, 5, look=Look())[2]
    assert "\x1b[32mrunning  \x1b[0m" in line
    assert "\x1b" not in screen(100, 5)[2]


def test_without_unicode_the_frame_is_ascii() -> None:
    rows = [Row("naïve 学習", "running", 1, 1.0, 1.0, 1.0, 1.0, [1.0, 2.0, math.nan])]
    lines = screen(80, 6, Choices(metric="loss", sort="last"), rows, Look(is_unicode=False, is_coloured=False))
    assert "".join(lines).isascii()
    assert lines[2].rstrip().endswith("_#!")


def test_text_is_cut_and_padded_to_the_cell() -> None:
    assert fitted("abc", 5) == "abc  " and fitted("abc", 5, right=True) == "  abc"
    assert fitted("abcdef", 4) == "abc…"
    assert fitted("長長長", 4) == "長… " and width_of(fitted("長長長", 4)) == 4
    assert width_of("e\u0301") == 1
    assert fitted("abc", 0) == ""


def test_sparklines_scale_from_lowest_to_highest() -> None:
    assert sparkline([0.0, 0.5, 1.0], 10) == "▁▅█"
    assert sparkline([2.0, 2.0], 10) == "▁▁"
    assert sparkline([-1.7e308, 1.7e308], 10) == "▁█"
    assert sparkline([1.0, math.nan, math.inf], 10) == "▁!!"
    assert sparkline([], 10) == "" and sparkline([1.0], 0) == ""


def test_numbers_and_ages_are_formatted_briefly() -> None:
    assert [number(value) for value in (None, 0.1, 123456.789, math.inf, -math.inf, math.nan)] == [
        "–", "0.1", "1.2346e+05", "inf", "-inf", "NaN",
    ]  # fmt: skip
    assert [age(secs) for secs in (None, -3.0, 59.9, 60, 7200, 200000, math.inf)] == [
        "–", "0 s", "59 s", "1 m", "2 h", "2 d", "–",
    ]  # fmt: skip


def test_keys_are_parsed() -> None:
    assert keys_in("\x1b[A\x1bOBq/é") == ["up", "down", "q", "/", "é"]
    assert keys_in("\x1b") == ["escape"]
    assert keys_in("\x1b[5~\x1b[6~\x7f\r") == ["page_up", "page_down", "backspace", "enter"]
    assert keys_in("\x1b[200~\x00\x01") == []
