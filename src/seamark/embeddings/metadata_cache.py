"""Metadata that were parsed once, as files in a folder of the index: a million rows take seconds to parse."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from seamark.embeddings.form import ColumnType, Metadata, MetadataColumn
from seamark.embeddings.texts import Texts, pack
from seamark.embeddings.vector_cache import version_of
from seamark.format.cache_folder import mark_used, remove_least_used, replacing

LOG = logging.getLogger(__name__)
SUFFIX = ".metadata"
VERSION = 2
MAX_BYTES = 2 << 30
# Fewer are parsed as fast as they are read from the cache.
MIN_ROWS = 50_000

Parsed = tuple[Metadata, list[str]]  # and the sentences about what does not fit


class _Column(msgspec.Struct, frozen=True):
    """Views of the file that was read: nothing is copied."""

    name: str
    type: ColumnType
    numbers: memoryview | None
    codes: memoryview | None
    names: memoryview
    offsets: memoryview


class _Saved(msgspec.Struct, frozen=True):
    version: int
    rows: int
    columns: list[_Column]
    problems: list[str]


def get(folder: Path | None, files: Sequence[Path], rows: int, parse: Callable[[], Parsed]) -> Parsed:
    """The metadata in these files, from the cache if they have the same size and time."""
    if folder is None or rows < MIN_ROWS or not files:
        return parse()
    key = repr((rows, [(str(file.absolute()), version_of(file)) for file in files]))
    digest = hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    path = folder / f"{digest}{SUFFIX}"
    found = _load(path)
    if found is None:
        found = parse()
        _store(path, found)
    return found


def _load(path: Path) -> Parsed | None:
    try:
        saved = msgspec.msgpack.decode(path.read_bytes(), type=_Saved)
        mark_used(path)
    except (OSError, msgspec.MsgspecError):
        return None
    if saved.version != VERSION:
        return None
    columns = tuple(
        MetadataColumn(
            column.name,
            column.type,
            None if column.numbers is None else np.frombuffer(column.numbers, "<f8"),
            None if column.codes is None else np.frombuffer(column.codes, "<i4"),
            _names(column),
        )
        for column in saved.columns
    )
    return Metadata(saved.rows, columns), saved.problems


def _names(column: _Column) -> Sequence[str]:
    names = Texts(column.names, np.frombuffer(column.offsets, "<i8"))
    return names if column.type == "text" else list(names) or ()


def _store(path: Path, parsed: Parsed) -> None:
    metadata, problems = parsed
    columns = [
        _Column(
            column.name,
            column.type,
            None if column.numbers is None else column.numbers.astype("<f8", copy=False).data,
            None if column.codes is None else column.codes.astype("<i4", copy=False).data,
            memoryview(names.data),
            names.offsets.astype("<i8", copy=False).data,
        )
        for column in metadata.columns
        for names in [column.names if isinstance(column.names, Texts) else pack(column.names)]
    ]
    try:
        with replacing(path) as file:
            file.write(msgspec.msgpack.encode(_Saved(VERSION, metadata.rows, columns, problems)))
        remove_least_used(path.parent, (SUFFIX,), MAX_BYTES)
    except OSError as error:
        LOG.warning("cannot cache metadata (%s): '%s'", error, path)
