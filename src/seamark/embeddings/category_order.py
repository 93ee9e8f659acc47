"""The order in which the values of categories get their colours: a value has one colour in every column and step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from seamark.embeddings.form import MetadataColumn

# The page has so many styles for values; further ones are grey.
MAX_STYLES = 24
_DIGITS = re.compile(r"(\d+)")


def style_positions(columns: Sequence[MetadataColumn], column: MetadataColumn) -> list[int]:
    """By name of a category: its position among the styles.

    Columns with common names, such as labels and predictions, share one order: small whole numbers have the style of
    their own number, others come in the order of their names, and of too many values the most frequent come first.
    """
    names = _family(columns, column)
    if all(name.isascii() and name.isdecimal() and int(name) < MAX_STYLES for name in names):
        return [int(name) for name in column.names]
    ordered = sorted(names, key=_natural)
    if len(ordered) > MAX_STYLES:
        ordered.sort(key=lambda name: -names[name])
    positions = {name: at for at, name in enumerate(ordered)}
    return [positions[name] for name in column.names]


def _family(columns: Sequence[MetadataColumn], column: MetadataColumn) -> Counter[str]:
    """How often each name occurs in the column and in the categories that have a name in common with it."""
    found = _counts(column)
    others = [_counts(other) for other in columns if other.type == "category" and other.name != column.name]
    while related := [other for other in others if not found.keys().isdisjoint(other)]:
        others = [other for other in others if found.keys().isdisjoint(other)]
        for other in related:
            found += other
    return found


def _counts(column: MetadataColumn) -> Counter[str]:
    """By rank: names are sorted by their frequency, and only the order counts."""
    return Counter({name: len(column.names) - at for at, name in enumerate(column.names)})


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """10 comes after 9."""
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in _DIGITS.split(name) if part]
