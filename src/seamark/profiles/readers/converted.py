"""Reads formats that are converted to Chrome's events first: one path for all that are not large."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

from seamark._core import JsonTraceScanner
from seamark.profiles.captures.file_forms import FileForm, files_of_source
from seamark.profiles.form import ProfileError
from seamark.profiles.readers.chrome_trace import GZIP_MAGIC, ArgumentWriter, Progress, finish_scan
from seamark.profiles.readers.memory_snapshot import PICKLE_REMEDY, events_of_snapshot
from seamark.profiles.readers.native_trace import ReadTrace
from seamark.profiles.readers.run_metadata import events_of_run_metadata
from seamark.profiles.readers.tf_trace import events_of_tf_trace
from seamark.profiles.readers.tool_tables.host_files import events_of_tools

MAX_BYTES = 2 << 30


CONVERTERS: dict[FileForm, Callable[[bytes], bytes]] = {
    "tf_trace": events_of_tf_trace,
    "run_metadata": events_of_run_metadata,
    "memory_snapshot": events_of_snapshot,
}
CONVERTED_FORMS: frozenset[FileForm] = frozenset({*CONVERTERS, "tool", "pickle"})


def read_converted(path: Path, form: FileForm, *, arguments: ArgumentWriter | None, progress: Progress) -> ReadTrace:
    """Copies the text of the arguments to a file. Raises OSError, ProfileError."""
    if form == "pickle":
        raise ProfileError(PICKLE_REMEDY)
    files = files_of_source(path)
    size = sum(file.stat().st_size for file in files)
    if size > MAX_BYTES:
        raise ProfileError(f"this file is too large for its format: {size:,} bytes")
    if form == "tool":
        return read_events(events_of_tools(files), arguments=arguments, progress=progress)
    data = path.read_bytes()
    if data[:2] == GZIP_MAGIC:
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error) as error:
            raise ProfileError(f"the compressed file is damaged: {error}") from error
    return read_events(CONVERTERS[form](data), arguments=arguments, progress=progress)


def read_events(json: bytes, *, arguments: ArgumentWriter | None, progress: Progress) -> ReadTrace:
    """Events as Chrome's JSON, in memory."""
    scanner = JsonTraceScanner(copies_arguments=True)
    scanner.feed(json)
    text = scanner.take_arguments()
    if arguments is not None:
        arguments.write(text)
    progress(len(json))
    read = finish_scan(scanner, [])
    read.problems.extend(read.metadata.pop("notes", []))
    return read
