"""Reads the header of a WAV file and describes its faults."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
FORMATS = {PCM: "PCM", FLOAT: "float", A_LAW: "A-law", MU_LAW: "µ-law"}
BITS = {PCM: (8, 16, 24, 32), FLOAT: (32, 64), A_LAW: (8,), MU_LAW: (8,)}


@dataclass(frozen=True, slots=True)
class Wav:
    """`problem` is the reason why the file cannot be played, `warning` a fault that does not prevent it."""

    sample_rate_hz: int = 0
    channels: int = 0
    bits: int = 0
    encoding: str = ""
    frames: int = 0
    problem: str = ""
    warning: str = ""

    @property
    def seconds(self) -> float:
        return self.frames / self.sample_rate_hz if self.sample_rate_hz else 0.0


def describe(data: bytes) -> Wav:
    if len(data) < 12 or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return Wav(problem=f"this is not a WAV file: it begins with {data[:12]!r}, want b'RIFF', a length and b'WAVE'")
    chunks = dict(reversed(list(chunks_of(data))))  # the first of two chunks with the same name counts
    if b"fmt " not in chunks:
        return Wav(problem="the WAV file has no 'fmt ' chunk: the format of its samples is unknown")
    start, length = chunks[b"fmt "]
    form = data[start : start + length]
    if len(form) < 16:
        return Wav(problem=f"the 'fmt ' chunk of the WAV file is too short: got {len(form)} bytes, want 16 or more")
    return with_sound(form, data, chunks)


def with_sound(form: bytes, data: bytes, chunks: dict[bytes, tuple[int, int]]) -> Wav:
    code, channels, rate, _, align, bits = struct.unpack("<HHIIHH", form[:16])
    if code == EXTENSIBLE and len(form) >= 26:
        code = struct.unpack("<H", form[24:26])[0]
    described = Wav(rate, channels, bits, FORMATS.get(code, f"format {code}"))
    problem = wrong_format(code, channels, rate, bits, align)
    if not problem and b"data" not in chunks:
        problem = "the WAV file has no 'data' chunk: there is no sound in it"
    if problem:
        return Wav(described.sample_rate_hz, channels, bits, described.encoding, problem=problem)
    start, claimed = chunks[b"data"]
    there = max(0, min(claimed, len(data) - start))
    frames = there // (channels * bits // 8)
    if frames == 0:
        return Wav(rate, channels, bits, described.encoding, problem="the WAV file holds no samples")
    # Writers that do not know the length yet write the largest number.
    is_cut = there < claimed and claimed < 0x7FFFFFFF
    warning = (
        f"the header announces {claimed:,} bytes of sound, there are {there:,}: the end is missing" if is_cut else ""
    )
    return Wav(rate, channels, bits, described.encoding, frames, warning=warning)


def wrong_format(code: int, channels: int, rate: int, bits: int, align: int) -> str:
    if code not in FORMATS:
        return f"the WAV file's samples are of format {code}, want PCM (1), float (3), A-law (6) or µ-law (7)"
    if channels == 0:
        return "the WAV header says 0 channels, want 1 or more"
    if rate == 0:
        return "the WAV header says 0 samples per second"
    if bits not in BITS[code]:
        wanted = " or ".join(map(str, BITS[code]))
        return f"the WAV header says {bits} bits per {FORMATS[code]} sample, want {wanted}"
    if align != channels * bits // 8:
        return (
            f"the WAV header contradicts itself: {channels} channels of {bits} bits are {channels * bits // 8} bytes, "
            f"it says {align}"
        )
    return ""


def chunks_of(data: bytes) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """The name of each chunk, and the start and the claimed length of its content."""
    at = 12
    while at + 8 <= len(data):
        name, length = struct.unpack("<4sI", data[at : at + 8])
        yield name, (at + 8, length)
        at += 8 + length + length % 2
