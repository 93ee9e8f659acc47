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
    """By name of a category: its position among the styles. `columns`: those of all steps of the embedding.

    Columns with common names, such as labels and predictions, share one order: small whole numbers have the style of
    their own number, others come in the order of their names, and of too many values the most frequent come first.
    """
    names = _family(columns, column)
    others = set(column.names) - names.keys()
    if all(name.isascii() and name.isdecimal() and int(name) < MAX_STYLES for name in (*names, *others)):
        return [int(name) for name in column.names]
    ordered = sorted(names, key=_natural)
    if len(ordered) > MAX_STYLES:
        ordered.sort(key=lambda name: -names[name])
    positions = {name: at for at, name in enumerate((*ordered, *sorted(others, key=_natural)))}
    return [positions[name] for name in column.names]


def _family(columns: Sequence[MetadataColumn], column: MetadataColumn) -> Counter[str]:
    """How often each name occurs in the categories of this name, and in those that have a name in common with them."""
    found: Counter[str] = Counter()
    known = set(column.names)
    rest = [other for other in columns if other.type == "category"]
    related = [other for other in rest if other.name == column.name]
    while True:
        for other in related:
            found += _counts(other)
        known |= found.keys()
        rest = [other for other in rest if other not in related]
        related = [other for other in rest if not known.isdisjoint(other.names)]
        if not related:
            return found


def _counts(column: MetadataColumn) -> Counter[str]:
    """By rank: names are sorted by their frequency, and only the order counts."""
    return Counter({name: len(column.names) - at for at, name in enumerate(column.names)})


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """10 comes after 9."""
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in _DIGITS.split(name) if part]
