"""Names and metadata of a file's series. Files of a sweep have the same series, so equal tables share one object."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from functools import cached_property, lru_cache
from weakref import WeakValueDictionary

from seamark.format.types import Form, Tag
from seamark.kinds.kind import kind_of

SeriesEntry = tuple[bytes, int, bytes]  # tag, form, SummaryMetadata of the tag's first value
PayloadKey = tuple[str, Tag]  # kind, tag
SCALAR = int(Form.SCALAR)  # comparing an enum for every tag of every file takes ten times as long


class SeriesTable:
    """Series ids are positions in `entries`. Immutable; everything else is computed on first use."""

    def __init__(self, entries: tuple[SeriesEntry, ...]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def scalar_ids(self) -> dict[Tag, int]:
        return {decode_tag(tag): i for i, (tag, form, _) in enumerate(self.entries) if form == SCALAR}

    @cached_property
    def scalar_tags(self) -> tuple[Tag, ...]:
        return tuple(self.scalar_ids)

    @cached_property
    def payload_ids(self) -> dict[PayloadKey, tuple[int, ...]]:
        """A key may have several ids: a tag may have images in their legacy form and as tensors."""
        ids: dict[PayloadKey, tuple[int, ...]] = {}
        for i, (tag, form, metadata) in enumerate(self.entries):
            if form != SCALAR:
                key = (payload_kind(form, metadata), decode_tag(tag))
                ids[key] = (*ids.get(key, ()), i)
        return ids

    @cached_property
    def payload_keys(self) -> dict[int, PayloadKey]:
        return {i: key for key, ids in self.payload_ids.items() for i in ids}

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        return tuple(decode_tag(tag) for tag, _, _ in self.entries)

    @cached_property
    def described(self) -> dict[bytes, SeriesEntry]:
        """The first entry with metadata of each tag that has metadata."""
        entries: dict[bytes, SeriesEntry] = {}
        for entry in self.entries:
            if entry[2]:
                entries.setdefault(entry[0], entry)
        return entries

    @cached_property
    def bare_tags(self) -> frozenset[bytes]:
        """Tags of tensors without metadata in this file."""
        return frozenset(tag for tag, form, metadata in self.entries if form == Form.TENSOR and not metadata)

    def to_bytes(self) -> bytes:
        """Encodes the table for the catalogue. latin-1 maps every byte to one character and back."""
        rows = [[tag.decode("latin-1"), form, metadata.decode("latin-1")] for tag, form, metadata in self.entries]
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()

    @staticmethod
    def from_bytes(data: bytes) -> SeriesTable:
        rows = json.loads(data)
        return series_table((tag.encode("latin-1"), form, metadata.encode("latin-1")) for tag, form, metadata in rows)


_tables: WeakValueDictionary[tuple[SeriesEntry, ...], SeriesTable] = WeakValueDictionary()
_tables_lock = threading.Lock()


def series_table(entries: Iterable[SeriesEntry]) -> SeriesTable:
    """Returns the shared table with these entries."""
    key = tuple(entries)
    with _tables_lock:
        table = _tables.get(key)
        if table is None:
            table = _tables[key] = SeriesTable(key)
        return table


EMPTY_TABLE = series_table(())


@lru_cache(maxsize=20_000)
def decode_tag(tag: bytes) -> Tag:
    """Decodes a tag; bytes that are not UTF-8 become \\xff. Runs of a sweep share the string."""
    return Tag(tag.decode("utf-8", "backslashreplace"))


def payload_kind(form: int, metadata: bytes) -> str:
    kind = kind_of(form, metadata)
    # A "scalar" that is not a number is stored as a tensor, so that it does not hide the real scalars.
    return "tensors" if kind == "scalars" else kind
