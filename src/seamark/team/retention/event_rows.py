"""The rows of an event file: its curves, and where its payloads are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamark import _core
from seamark.kinds.kind import kind_of

Columns = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(slots=True)
class EventRows:
    """`payloads`: offsets in the file, by tag and kind. `metadata`: of each tag, for later files of the run."""

    scalars: dict[str, list[Columns]] = field(default_factory=lambda: defaultdict(list))
    payloads: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    payload_bytes: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    metadata: dict[str, bytes] = field(default_factory=dict)
    consumed: int = 0  # bytes of whole records

    def curves(self) -> dict[str, bytes]:
        """All points by tag, in a form that compares bit for bit."""
        return {
            tag: b"".join(np.concatenate([part[column] for part in parts]).tobytes() for column in range(3))
            for tag, parts in self.scalars.items()
        }


def read_event_rows(data: memoryview, inherited: Mapping[str, bytes]) -> EventRows:
    """`inherited`: the metadata that earlier files of the run have for tags. Records that are damaged are skipped."""
    rows = EventRows(metadata=dict(inherited))
    scanner = _core.Scanner()
    position = 0
    while True:
        result = scanner.scan(data[position:], position)
        position += result.consumed
        stripe = scanner.take_stripe()
        if stripe is not None:
            add_stripe(rows, _core.Stripe(stripe), scanner)
        if result.status != _core.SCAN_FULL or (not result.consumed and stripe is None):
            break
    rows.consumed = position
    return rows


def add_stripe(rows: EventRows, stripe: _core.Stripe, scanner: _core.Scanner) -> None:
    series = scanner.series()
    steps, walls, values = stripe.scalars()
    for series_id, first, count in zip(*stripe.scalar_groups(), strict=True):
        part = slice(int(first), int(first + count))
        tag = series[series_id][0].decode(errors="surrogateescape")
        rows.scalars[tag].append((steps[part].copy(), walls[part].copy(), values[part].copy()))
    _, _, offsets, lengths = stripe.payloads()
    for series_id, first, count in zip(*stripe.payload_groups(), strict=True):
        part = slice(int(first), int(first + count))
        tag_bytes, form, metadata = series[series_id]
        tag = tag_bytes.decode(errors="surrogateescape")
        known = rows.metadata.setdefault(tag, metadata) or metadata
        key = (tag, kind_of(form, metadata or known))
        rows.payloads[key] += offsets[part].tolist()
        rows.payload_bytes[key] += int(lengths[part].sum())
