"""Arguments of slices: read from the source when they are asked for, since most never are."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from seamark.profiles.form import ArgumentFormat, ProfileError, Trace
from seamark.profiles.readers.xplane_arguments import read_xevent_arguments

if TYPE_CHECKING:
    from seamark.profiles.profile import Profile

Arguments = dict[str, Any]


def read_arguments(profile: Profile, slices: Iterable[int]) -> list[Arguments]:
    """One dictionary for each slice; an empty one if it has none that can be read. Raises OSError, ProfileError."""
    return ARGUMENT_READERS[profile.trace.argument_format](profile, slices)


def _read_json(profile: Profile, slices: Iterable[int]) -> list[Arguments]:
    trace = profile.trace
    return [_decode(_text_of(trace, int(slice))) for slice in slices]


# The reader of each format.
ARGUMENT_READERS: dict[ArgumentFormat, Callable[[Profile, Iterable[int]], list[Arguments]]] = {
    "json": _read_json,
    "xevent": read_xevent_arguments,
}


def _text_of(trace: Trace, slice: int) -> bytes:
    size = int(trace.argument_size[slice])
    if size == 0 or trace.arguments is None:
        return b""
    return trace.arguments.read(int(trace.argument_start[slice]), size)


def _decode(text: bytes) -> Arguments:
    if not text:
        return {}
    try:
        found = msgspec.json.decode(text)
    except RecursionError:  # values inside values, thousands deep
        return {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        # NaN, control characters in strings, bytes that are not UTF-8
        try:
            found = json.loads(text.decode(errors="replace"), strict=False)
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, dict) else {}


class ArgumentFile:
    """Arguments in a file: the source, or the copies beside the cached trace. For any thread.

    The file stays open, so that one that is replaced or removed can still be read. One that is written again cannot.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._name = path.name
        self._bytes = os.fstat(self._descriptor).st_size

    def read(self, start: int, size: int) -> bytes:
        text = os.pread(self._descriptor, size, start)
        if len(text) < size or os.fstat(self._descriptor).st_size != self._bytes:
            raise ProfileError(f"the file changed since it was read: open it again: '{self._name}'")
        return text

    def __del__(self) -> None:
        if hasattr(self, "_descriptor"):
            os.close(self._descriptor)
