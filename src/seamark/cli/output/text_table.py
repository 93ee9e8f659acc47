"""Prints columns as text: drawn by rich on a terminal, aligned lines elsewhere."""

from __future__ import annotations

import io
import math
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat
from typing import Any

from seamark.cli.output.text import printable, width_of
from seamark.format.numbers import format_float

# On a terminal, text is cut to MAX_CELL. If the table is still too wide, columns of text are narrowed to MIN_CELL,
# except the first, which names the rows. Numbers and times are never cut.
MAX_CELL = 48
MIN_CELL = 12
# Aligned lines are not cut, but one long cell must not pad every other row to its width.
MAX_PADDING = 100
# rich needs 0.6 to 2 s to draw 1,000 rows of eight columns; aligned lines need 0.01 s.
MAX_RICH_ROWS = 200


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """`type` is that of the run table: number, text, bool, time, duration or list."""

    name: str
    type: str
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class TextColumn:
    """The first cell is the name, if the table has a header."""

    cells: list[str]
    is_number: bool
    is_text: bool

    @property
    def width(self) -> int:
        return max(map(width_of, self.cells), default=0)


def text_lines(
    columns: Sequence[OutputColumn],
    *,
    is_terminal: bool,
    has_header: bool = True,
    has_wrapping: bool = False,
    indent: int = 0,
) -> Iterator[str]:
    """`has_wrapping`: text that is too wide for the terminal continues on the next line instead of being cut."""
    texts = [
        TextColumn(
            [printable(column.name)] * has_header + [shown(value, column.type) for value in column.values],
            is_number=column.type in ("number", "duration"),
            is_text=column.type in ("text", "list"),
        )
        for column in columns
    ]
    if not texts:
        return iter(())
    lines: Iterable[str]
    if is_terminal and has_header and len(texts[0].cells) <= MAX_RICH_ROWS:
        lines = _rich_lines(texts, shutil.get_terminal_size().columns - indent, has_wrapping=has_wrapping)
    else:
        lines = _aligned_lines(texts)
    return (" " * indent + line for line in lines)


def _aligned_lines(columns: Sequence[TextColumn]) -> Iterator[str]:
    padded = [
        map(_padded, column.cells, repeat(min(column.width, MAX_PADDING)), repeat(column.is_number))
        for column in columns
    ]
    return ("  ".join(row).rstrip() for row in zip(*padded, strict=True))


def _padded(text: str, width: int, is_number: bool) -> str:
    space = " " * (width - width_of(text))
    return space + text if is_number else text + space


def _rich_lines(columns: Sequence[TextColumn], width: int, *, has_wrapping: bool) -> list[str]:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def cell(text: str) -> Text:  # a plain string would be read as markup
        return Text(text, no_wrap=not has_wrapping, overflow="fold" if has_wrapping else "ellipsis")

    # The last column is padded too: rich before 14.3 widens it if the edge has no padding.
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for at, column in enumerate(columns):
        min_width = max(map(width_of, column.cells[1:]), default=0)
        if column.is_text:
            min_width = min(min_width, MIN_CELL if at else MAX_CELL)
        min_width = max(min_width, min(width_of(column.cells[0]), MIN_CELL))
        table.add_column(
            cell(column.cells[0]),
            justify="right" if column.is_number else "left",
            min_width=min_width,
            max_width=max(min_width, MAX_CELL),
        )
    for row in zip(*(column.cells[1:] for column in columns), strict=True):
        table.add_row(*map(cell, row))
    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        force_jupyter=False,
        color_system=None if os.environ.get("NO_COLOR") else "standard",
        width=max(width, 1),
        height=25,  # without a height, rich ignores the width on a dumb terminal
    )
    with console.capture() as drawn:
        console.print(table, crop=False)
    return [line.rstrip() for line in drawn.get().splitlines()]


def shown(value: Any, kind: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return printable(", ".join(map(str, value)))
    if isinstance(value, int | float) and kind == "time":
        return time_shown(value)
    if isinstance(value, int | float) and kind == "duration":
        return duration_shown(value)
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else format_float(value)
    return printable(str(value))


def time_shown(secs: float) -> str:
    try:
        return datetime.fromtimestamp(secs).isoformat(sep=" ", timespec="minutes")
    except (ValueError, OverflowError, OSError):
        return f"{secs:g} s"  # not a valid time; shown as it is


def duration_shown(secs: float) -> str:
    if not math.isfinite(secs):
        return format_float(secs)
    minutes, hours, days = int(secs // 60), int(secs // 3600), int(secs // 86400)
    if days:
        return f"{days} d {hours % 24:02} h"
    if hours:
        return f"{hours} h {minutes % 60:02} m"
    return f"{minutes} m {int(secs) % 60:02} s" if minutes else f"{secs:.3g} s"
