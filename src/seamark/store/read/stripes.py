"""The rows of a file as a short list of parts: neighbours of similar size are merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from seamark._core import Stripe, merge_stripes


class StripeHome(Protocol):
    """A file on disk with stripes."""

    @property
    def is_truncated(self) -> bool: ...
    def read(self, offset: int, size: int) -> memoryview: ...
    def open_stripe(self, offset: int, size: int) -> Stripe: ...


class Part:
    """Consecutive rows of one file: a stripe in memory, or in a chunk file that is opened on first use. Immutable."""

    __slots__ = ("_data", "_stripe", "home", "offset", "payload_rows", "scalar_rows", "size")

    def __init__(
        self,
        *,
        size: int,
        scalar_rows: int,
        payload_rows: int,
        data: memoryview | None = None,
        stripe: Stripe | None = None,
        home: StripeHome | None = None,
        offset: int = 0,
    ) -> None:
        self.size = size
        self.scalar_rows = scalar_rows
        self.payload_rows = payload_rows
        self._data = data
        self._stripe = stripe
        self.home = home
        self.offset = offset

    @property
    def rows(self) -> int:
        return self.scalar_rows + self.payload_rows

    @property
    def in_memory(self) -> bool:
        return self.home is None

    def stripe(self) -> Stripe:
        """Raises OSError or ValueError if the chunk file is missing or damaged."""
        if self._stripe is None:
            assert self.home is not None
            self._stripe = self.home.open_stripe(self.offset, self.size)
        return self._stripe

    def data(self) -> memoryview:
        """Returns the bytes of the stripe, which are the same in memory and on disk."""
        if self._data is not None:
            return self._data
        assert self.home is not None
        return self.home.read(self.offset, self.size)


def part_of(data: memoryview) -> Part:
    """Creates a part in memory."""
    stripe = Stripe(data)
    return Part(
        size=stripe.nbytes, scalar_rows=stripe.scalar_rows, payload_rows=stripe.payload_rows, data=data, stripe=stripe
    )


def merged(parts: Sequence[Part], *, max_rows: int) -> list[Part]:
    """Returns the same rows in O(log n) parts; parts that need no merging are returned unchanged."""
    groups = tiers([part.rows for part in parts], max_rows=max_rows)
    return [parts[i] if j - i == 1 else _joined(parts[i:j]) for i, j in groups]


def tiers(sizes: Sequence[int], *, max_rows: int) -> list[tuple[int, int]]:
    """Returns which neighbours to merge, as (start, stop): each group is at least twice as large as the next one.

    Like carries in binary addition: every row is rewritten O(log n) times over the life of a file.
    """
    groups: list[tuple[int, int]] = []  # start, rows
    for i, size in enumerate(sizes):
        start, rows = i, size
        while groups and groups[-1][1] < 2 * rows and groups[-1][1] + rows <= max_rows:
            start, before = groups.pop()
            rows += before
        groups.append((start, rows))
    starts = [start for start, _ in groups]
    return list(zip(starts, [*starts[1:], len(sizes)], strict=False))


def _joined(parts: Sequence[Part]) -> Part:
    return part_of(merge_stripes([part.stripe() for part in parts]))
