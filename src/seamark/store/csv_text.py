"""Points as CSV: a line for each, numbers with every digit, words where there is no number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from seamark.store.batches import ScalarBatch

HEAD = ("tag", "run", "step", "wall_time", "value")
WORDS = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
# One piece of text takes some 10 ms to make: other requests are answered between two of them.
MAX_LINES = 8192
FORMULA_MARKS = frozenset("=+-@\t\r")


def csv_chunks(batches: Iterable[ScalarBatch], *, with_attempt: bool = False) -> Iterator[bytes]:
    yield (",".join([*HEAD, "attempt"] if with_attempt else HEAD) + "\r\n").encode()
    for batch in batches:
        begin = f"{quoted(batch.tag)},{quoted(batch.run)},"
        end = f",{batch.attempt}\r\n" if with_attempt else "\r\n"
        for start in range(0, len(batch), MAX_LINES):
            rows = slice(start, start + MAX_LINES)
            columns = batch.steps[rows].tolist(), batch.walls[rows].tolist(), batch.values[rows].tolist()
            lines = [
                f"{begin}{step},{word(wall)},{word(value)}{end}" for step, wall, value in zip(*columns, strict=True)
            ]
            yield "".join(lines).encode(errors="backslashreplace")


def word(value: float) -> str:
    return repr(value) if math.isfinite(value) else WORDS[repr(value)]


def quoted(text: str) -> str:
    text = not_a_formula(text)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


def not_a_formula(text: str) -> str:
    """Spreadsheets run cells that begin like a formula. Names come from others, so such a cell gets an apostrophe."""
    if text[:1] not in FORMULA_MARKS or len(text) < 2 or is_number(text):
        return text
    return f"'{text}"


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
