"""Points as CSV, one line each. Numbers have all digits; non-finite values are NaN, Infinity and -Infinity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seamark.format.numbers import format_float
from seamark.store.ask.batches import ScalarBatch

HEAD = ("tag", "run", "step", "wall_time", "value")
# A chunk takes about 10 ms to format; the server answers other requests between two chunks.
MAX_LINES = 8192
FORMULA_MARKS = frozenset("=+-@\t\r")


def csv_chunks(batches: Iterable[ScalarBatch], *, with_attempt: bool = False) -> Iterator[bytes]:
    yield (",".join([*HEAD, "attempt"] if with_attempt else HEAD) + "\r\n").encode()
    for batch in batches:
        begin = f"{quoted(batch.tag)},{quoted(batch.run)},"
        end = f",{batch.attempt}\r\n" if with_attempt else "\r\n"
        for start in range(0, len(batch), MAX_LINES):
            yield _lines(batch, slice(start, start + MAX_LINES), begin, end)


def _lines(batch: ScalarBatch, rows: slice, begin: str, end: str) -> bytes:
    # A function of its own: a download whose reader waits holds the bytes alone, not what they were made of.
    columns = batch.steps[rows].tolist(), batch.walls[rows].tolist(), batch.values[rows].tolist()
    lines = [
        f"{begin}{step},{format_float(wall)},{format_float(value)}{end}"
        for step, wall, value in zip(*columns, strict=True)
    ]
    return "".join(lines).encode(errors="backslashreplace")


def quoted(text: str) -> str:
    text = escape_formula(text)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


def escape_formula(text: str) -> str:
    """Prefixes text that a spreadsheet would run as a formula with an apostrophe: names may come from strangers."""
    if text[:1] not in FORMULA_MARKS or len(text) < 2 or is_number(text):
        return text
    return f"'{text}"


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
