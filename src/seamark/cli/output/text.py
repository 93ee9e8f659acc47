"""Text in a terminal: as wide as it is shown, and without a sign that a terminal would obey."""

from __future__ import annotations

import math
from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.,-=+*#"


def printable(text: str) -> str:
    """Names come from others: what would move the cursor, ring the bell or turn the line round is shown as a mark."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else "�" for sign in text)


def width_of(text: str) -> int:
    """In cells of the terminal: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # `seamark serve` does not need rich

    return cell_len(text)


def fitted(text: str, width: int, *, right: bool = False, mark: str = "…") -> str:
    """Exactly so many cells: cut with a mark, or filled with spaces."""
    if width <= 0:
        return ""
    text = printable(text)
    if width_of(text) > width:
        from rich.cells import set_cell_size

        text = set_cell_size(text, width - len(mark)).rstrip() + mark
    space = " " * (width - width_of(text))
    return space + text if right else text + space


def sparkline(values: Sequence[float], width: int, *, is_unicode: bool = True) -> str:
    """The values from the lowest to the highest bar; `!` where one is not finite."""
    bars = BARS if is_unicode else ASCII_BARS
    shown = values[-width:] if width > 0 else []
    finite = [value for value in shown if math.isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    # Halved, so that a span wider than the largest double stays finite.
    span = high / 2 - low / 2

    def bar(value: float) -> str:
        if not math.isfinite(value):
            return "!"
        return bars[min(int((value / 2 - low / 2) / span * len(bars)), len(bars) - 1)] if span > 0 else bars[0]

    return "".join(map(bar, shown))


def number(value: float | None) -> str:
    """At most ten cells."""
    if value is None:
        return "–"
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return f"{value:.5g}"


def age(secs: float | None) -> str:
    """How long ago, in one unit."""
    if secs is None or not math.isfinite(secs):
        return "–"
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if secs >= size:
            return f"{int(secs // size)} {unit}"
    return f"{max(int(secs), 0)} s"
