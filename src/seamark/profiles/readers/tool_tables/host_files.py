"""All tables of one host, as the metadata of a trace without slices; memory profiles also as events."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

from google.protobuf.message import DecodeError

from seamark.profiles.form import ProfileError
from seamark.profiles.readers.chrome_events import ChromeEvents
from seamark.profiles.readers.tool_tables.input_pipeline import with_input_pipeline
from seamark.profiles.readers.tool_tables.kernels import with_kernels
from seamark.profiles.readers.tool_tables.memory_profile import add_memory_profile
from seamark.profiles.readers.tool_tables.operators import with_operators
from seamark.profiles.readers.tool_tables.overview_page import with_overview
from seamark.profiles.stored_tables import METADATA_KEY, StoredTables, encode_tables

ONLY_TABLES = (
    "this capture has only tables that TensorFlow's profiler computed, and not the trace: pages that need the trace "
    "are empty. TensorFlow 2.3 and later store the trace as *.xplane.pb"
)
NO_TABLES = (
    "this capture has no trace, and no table of TensorFlow's profiler that can be read: "
    "profile again with TensorFlow 2.3 or later, which stores the trace as *.xplane.pb"
)
MEMORY_PROFILE = ".memory_profile.json"
# The overview first: it has more about steps than the input pipeline.
READERS: tuple[tuple[str, Callable[[StoredTables, bytes], StoredTables]], ...] = (
    (".overview_page.pb", with_overview),
    (".input_pipeline.pb", with_input_pipeline),
    (".tensorflow_stats.pb", with_operators),
    (".kernel_stats.pb", with_kernels),
)


def events_of_tools(files: list[Path]) -> bytes:
    """The tables of one host. A damaged one is left out, with a note. Raises OSError, ProfileError."""
    events, tables = ChromeEvents(), StoredTables()
    problems: list[str] = []
    for suffix, read in READERS:
        for path in files:
            if path.name.lower().endswith(suffix):
                try:
                    tables = read(tables, path.read_bytes())
                except (DecodeError, ValueError, OverflowError) as error:  # numbers that are not finite
                    problems.append(f"a table cannot be read: {error}: '{path.name}'")
    for path in files:
        if MEMORY_PROFILE in path.name.lower():
            _add_memory(events, path, problems)
    if tables == StoredTables() and not len(events):
        raise ProfileError("; ".join([NO_TABLES, *problems]))
    events.add_metadata(METADATA_KEY, encode_tables(tables))
    events.add_metadata("notes", [ONLY_TABLES, *problems])
    return events.encode()


def _add_memory(events: ChromeEvents, path: Path, problems: list[str]) -> None:
    data = path.read_bytes()
    try:
        add_memory_profile(events, gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (ProfileError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        problems.append(f"{error}: '{path.name}'")
