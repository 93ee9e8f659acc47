"""Reads payloads from event files, after checking that the files were not replaced."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import FileIO
from typing import TYPE_CHECKING

from seamark.store.discover.walk import Identity
from seamark.store.read.event_file import EventFile
from seamark.store.read.file_state import FileState, is_same_content
from seamark.store.runs.run import Assembly

if TYPE_CHECKING:
    from seamark.store.runs.payload_rows import PayloadRows


# Decoding holds a payload up to three times in memory; larger payloads are read in parts.
MAX_WHOLE_BYTES = 96 << 20


class PayloadGoneError(LookupError):
    """The event file has changed since its payloads were listed."""


class PayloadAwayError(PayloadGoneError):
    """Its bytes are in a bucket that cannot be read now."""


def read_payloads(assembly: Assembly, rows: PayloadRows, positions: Sequence[int]) -> Iterator[bytes]:
    """Yields the bytes at these positions of `rows`; consecutive rows of one file open it once."""
    at, stream = -1, None
    try:
        for position in positions:
            if stream is None or rows.file[position] != at:
                if stream is not None:
                    stream.close()
                at = int(rows.file[position])
                stream = _open_unchanged(assembly.files[at], assembly.states[at])
            offset, length = int(rows.offsets[position]), int(rows.lengths[position])
            yield _read_fetched(assembly.files[at], stream, offset, length)
    finally:
        if stream is not None:
            stream.close()


def check_size(rows: PayloadRows, position: int) -> None:
    """Raises DecodeError for a payload that is too large to hold in memory."""
    from seamark.kinds.payload import DecodeError

    length = int(rows.lengths[position])
    if length > MAX_WHOLE_BYTES:
        raise DecodeError(f"payload is too large to be shown: got {length:,} bytes, want at most {MAX_WHOLE_BYTES:,}")


def read_part(assembly: Assembly, rows: PayloadRows, position: int, start: int, size: int) -> bytes:
    """Returns up to `size` bytes of one payload from `start` on."""
    length = int(rows.lengths[position])
    at = int(rows.file[position])
    with _open_unchanged(assembly.files[at], assembly.states[at]) as stream:
        first = min(max(start, 0), length)
        offset, wanted = int(rows.offsets[position]) + first, min(size, length - first)
        return _read_fetched(assembly.files[at], stream, offset, wanted)


def _read_fetched(file: EventFile, stream: FileIO, offset: int, length: int) -> bytes:
    try:
        with file.run.fetched(file.path, offset, offset + length):
            return read_exactly(stream, offset, length, shown_path=file.shown_path)
    except OSError as error:  # of a bucket
        raise PayloadAwayError(error.strerror or str(error)) from error


def _open_unchanged(file: EventFile, state: FileState) -> FileIO:
    try:
        stream = FileIO(file.path)
    except OSError as error:
        raise PayloadGoneError(f"the event file cannot be read ({error.strerror}): '{file.shown_path}'") from error
    now = Identity.of(os.fstat(stream.fileno()))
    if now != state.identity and not is_same_content(stream.fileno(), state, now):
        stream.close()
        raise PayloadGoneError(f"the event file was replaced since it was read; try again: '{file.shown_path}'")
    return stream


def read_exactly(stream: FileIO, offset: int, length: int, *, shown_path: str) -> bytes:
    stream.seek(offset)
    data = stream.read(length)
    while len(data) < length:
        more = stream.read(length - len(data))
        if not more:
            raise PayloadGoneError(f"the event file was truncated since it was read; try again: '{shown_path}'")
        data += more
    return data
