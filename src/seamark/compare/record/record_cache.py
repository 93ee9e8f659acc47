"""Caches parsed run.json files in the store's index, so that the next process does not parse them again."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from seamark.compare.record.config_files import RunFiles
from seamark.compare.record.flatten import flattened
from seamark.compare.record.folder_reader import Identity
from seamark.format import run_record
from seamark.format.run_record import RunRecord
from seamark.format.types import RunName
from seamark.store import CachedRunFile, RunFileIdentity, RunStore

if TYPE_CHECKING:
    import msgspec

# Parsing fewer files than this is faster than looking them up.
MIN_RUNS = 50
FLAT, NESTED = b"f", b"n"


class RecordCache:
    """Not thread-safe, except `write_all`."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._unwritten: dict[RunName, RunFiles] = {}

    def load(self, runs: Sequence[RunName]) -> Mapping[RunName, CachedRunFile]:
        """The cached run.json of these runs, whether or not the files have changed since."""
        if len(runs) < MIN_RUNS:
            return {}
        found = self._store.cached_run_files(runs)
        return {run: files[run_record.FILE_NAME] for run, files in found.items() if run_record.FILE_NAME in files}

    def note(self, run: RunName, files: RunFiles) -> None:
        """Queues the parsed run.json for the next `write_all`."""
        if files.record is not None:
            self._unwritten[run] = files

    def take_unwritten(self) -> Mapping[RunName, RunFiles]:
        taken, self._unwritten = self._unwritten, {}
        return taken

    def write_all(self, files: Mapping[RunName, RunFiles]) -> None:
        encoded = ((run, encode(one)) for run, one in files.items())
        found = {run: {run_record.FILE_NAME: one} for run, one in encoded if one is not None}
        if found:
            self._store.cache_run_files(found)


def encode(files: RunFiles) -> CachedRunFile | None:
    """None for a record that cannot be encoded, such as one with an integer of more than 64 bits."""
    import msgspec

    identity = files.identities.get(run_record.FILE_NAME)
    if identity is None or files.record is None:
        return None
    layout = FLAT if files.record_params is files.record.config else NESTED
    try:
        data = msgspec.msgpack.encode(files.record)
    except (OverflowError, TypeError, ValueError):
        return None
    return CachedRunFile(to_store(identity), format_mark() + layout + data)


def decode(cached: CachedRunFile | None, identity: Identity) -> tuple[RunRecord, dict[str, Any]] | None:
    """The record and its flat configuration; None if the file changed, or the index was written by another version."""
    import msgspec

    mark = format_mark()
    if cached is None or cached.identity != to_store(identity) or not cached.parsed.startswith(mark):
        return None
    layout = cached.parsed[len(mark) : len(mark) + 1]
    try:
        record = _decoder().decode(memoryview(cached.parsed)[len(mark) + 1 :])
    except msgspec.MsgspecError:
        return None
    return record, record.config if layout == FLAT else flattened(record.config, parse_text_floats=True)


def to_store(identity: Identity) -> RunFileIdentity:
    inode, size, mtime_ns = identity
    return RunFileIdentity(mtime_ns, size, inode)


@cache
def format_mark() -> bytes:
    """Differs between versions whose records have different fields."""
    fields = repr(sorted((name, str(hint)) for name, hint in RunRecord.__annotations__.items()))
    return b"1" + zlib.crc32(fields.encode()).to_bytes(4, "little")


@cache
def _decoder() -> msgspec.msgpack.Decoder[RunRecord]:
    import msgspec

    return msgspec.msgpack.Decoder(RunRecord)
