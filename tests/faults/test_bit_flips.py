"""Flips every bit of a file, one at a time: shown values are right, and lost records are reported."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from seamark.format.types import RunName

from . import logs

LOG = logs.small_log(2, text_every=9)
STARTS = LOG.starts()
LENGTH_BYTES = 12  # a record begins with its length and the length's checksum


def survivors(byte: int) -> list[int]:
    """Returns the records that are still readable when this byte is wrong."""
    hit = bisect_right(STARTS, byte) - 1
    is_length = byte - STARTS[hit] < LENGTH_BYTES
    return [number for number in range(len(LOG.records)) if number < hit or (number > hit and not is_length)]


def flipped(byte: int, bit: int) -> bytes:
    data = bytearray(LOG.data)
    data[byte] ^= 1 << bit
    return bytes(data)


def test_no_flipped_bit_is_shown_as_a_value(tmp_path: Path) -> None:
    """One run per bit, one start of the store for them all."""
    flips = {f"flip-{byte:05d}-{bit}": (byte, bit) for byte in range(len(LOG.data)) for bit in range(8)}
    for run, (byte, bit) in flips.items():
        logs.write(tmp_path, run, flipped(byte, bit))
    store = logs.open_store(tmp_path, None)
    reported = {problem.run: problem.offset for problem in store.problems()}
    for run, (byte, _) in flips.items():
        hit = bisect_right(STARTS, byte) - 1
        assert logs.shown_rows(store, run) == LOG.rows_of(survivors(byte)), run
        assert logs.shown_texts(store, run) == LOG.texts_of(survivors(byte)), run
        assert reported.get(RunName(run)) == STARTS[hit], run
    store.close()
