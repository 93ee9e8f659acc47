"""Reads a file of any profiler, with the reader of its form."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import IO

from seamark.format.cache_folder import replacing
from seamark.profiles.arguments import ArgumentFile
from seamark.profiles.captures.file_forms import form_of_file
from seamark.profiles.form import ArgumentText
from seamark.profiles.readers.chrome_trace import Progress, is_gzip, read_chrome_trace
from seamark.profiles.readers.converted import CONVERTED_FORMS, read_converted
from seamark.profiles.readers.native_trace import ReadTrace
from seamark.profiles.readers.xplane import read_xplane

LOG = logging.getLogger(__name__)
NO_ARGUMENTS = "the arguments of slices are missing: they could not be written to the cache"

Found = tuple[ReadTrace, ArgumentText | None]


def read_file(path: Path, copies: Path, progress: Progress) -> Found:
    """Also returns where the arguments are: in the source, or in `copies`. Raises OSError, ProfileError."""
    form = form_of_file(path)
    if form == "xplane":
        return read_xplane(path, progress=progress), ArgumentFile(path)
    if form in CONVERTED_FORMS:
        return _copying(copies, lambda sink: read_converted(path, form, arguments=sink, progress=progress))
    if is_gzip(path):
        # Nobody can look up a place in a gzip file.
        return _copying(copies, lambda sink: read_chrome_trace(path, arguments=sink, progress=progress))
    return read_chrome_trace(path, arguments=None, progress=progress), ArgumentFile(path)


def copies_arguments(path: Path) -> bool:
    """Raises OSError."""
    form = form_of_file(path)
    return form != "xplane" and (form in CONVERTED_FORMS or is_gzip(path))


def _copying(copies: Path, read_into: Callable[[_ArgumentSink], ReadTrace]) -> Found:
    """Copies the arguments; if that fails, for want of space say, the trace has none."""
    sink = _ArgumentSink()
    read: ReadTrace | None = None
    try:
        with replacing(copies) as file:
            sink.file = file
            read = read_into(sink)
            sink.flush()
        return read, ArgumentFile(copies)
    except OSError as error:
        if read is None and sink.file is not None:
            raise  # the source
        LOG.warning("arguments of a trace are not cached (%s): '%s'", error.strerror or error, copies)
    if read is None:
        read = read_into(sink)
    read.problems.append(NO_ARGUMENTS)
    return read, None


class _ArgumentSink:
    """Writes until that fails: the trace is worth reading without its arguments."""

    def __init__(self) -> None:
        self.file: IO[bytes] | None = None
        self._failure: OSError | None = None

    def write(self, text: bytes, /) -> None:
        if self.file is not None and self._failure is None:
            try:
                self.file.write(text)
            except OSError as error:
                self._failure = error

    def flush(self) -> None:
        """Raises OSError if not everything is written."""
        if self._failure is not None:
            raise self._failure
        if self.file is not None:
            self.file.flush()
