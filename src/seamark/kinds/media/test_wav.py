"""Faults in the headers of WAV files are reported."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from seamark.kinds.audio import wav
from seamark.kinds.media.wav import describe

GOOD = wav(np.zeros((400, 2)), sample_rate_hz=8000)


def patched(offset: int, form: str, value: int) -> bytes:
    size = struct.calcsize(form)
    return GOOD[:offset] + struct.pack(form, value) + GOOD[offset + size :]


def test_a_good_file() -> None:
    found = describe(GOOD)
    assert (found.sample_rate_hz, found.channels, found.bits, found.encoding) == (8000, 2, 16, "PCM")
    assert (found.seconds, found.problem, found.warning) == (0.05, "", "")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not a WAV file"),
        (b"RIFX" + GOOD[4:], "not a WAV file"),
        (GOOD[:12], "no 'fmt ' chunk"),
        (GOOD[:24], "too short"),
        (patched(20, "<H", 2), "format 2"),
        (patched(22, "<H", 0), "0 channels"),
        (patched(24, "<I", 0), "0 samples per second"),
        (patched(34, "<H", 13), "13 bits per PCM sample, want 8 or 16 or 24 or 32"),
        (patched(22, "<H", 3), "contradicts itself"),
        (GOOD[:36], "no 'data' chunk"),
        (GOOD[:44], "no samples"),
    ],
)
def test_each_fault_is_reported(data: bytes, says: str) -> None:
    assert says in describe(data).problem


def test_a_truncated_file_can_be_played_with_a_warning() -> None:
    found = describe(GOOD[:-800])
    assert found.problem == ""
    assert "announces 1,600 bytes of sound, there are 800" in found.warning
    assert found.frames == 200
    # A writer that streams does not know the length: that is no fault.
    assert describe(patched(40, "<I", 0xFFFFFFFF)).warning == ""
