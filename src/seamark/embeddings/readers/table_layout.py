"""Which columns of a table are the vectors: those with numbers and numbered names, or all with numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

MIN_NUMBERED = 3
# Logs of training have several columns of numbers, too.
MIN_NUMERIC = 16
INDEX_NAMES = frozenset({"", "id", "index", "row", "unnamed: 0", "__index_level_0__"})


class Layout(NamedTuple):
    vectors: list[int]  # positions of the columns
    metadata: list[int]
    is_numbered: bool


def layout_of(names: Sequence[str], numeric: Sequence[bool]) -> Layout:
    """Columns such as `x0`, `x1`, `x2`, if there are enough; else all with numbers, except an index."""
    every = range(len(names))
    prefixes = [prefix_of(names[at]) if numeric[at] else None for at in every]
    common = Counter(prefix for prefix in prefixes if prefix is not None).most_common(1)
    is_numbered = bool(common) and common[0][1] >= MIN_NUMBERED
    if is_numbered:
        vectors = [at for at in every if prefixes[at] == common[0][0]]
    else:
        vectors = [at for at in every if numeric[at] and names[at].strip().lower() not in INDEX_NAMES]
    chosen = set(vectors)
    return Layout(vectors, [at for at in every if at not in chosen], is_numbered)


def prefix_of(name: str) -> str | None:
    """What is before the number at the end of "x12" or "x[12]"; None if there is no number."""
    end = name.removesuffix("]")
    prefix = end.rstrip("0123456789")
    return prefix if prefix != end else None


def is_probably_embedding(layout: Layout) -> bool:
    """Whether a table that nobody named is listed."""
    return layout.is_numbered or len(layout.vectors) >= MIN_NUMERIC
