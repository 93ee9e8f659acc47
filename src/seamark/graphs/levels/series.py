"""Series: equal boxes in a row become one stack."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

MIN_GROUPS = 3
MIN_NODES = 5
NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class Item:
    """A child of an open group."""

    index: int  # of the node or group
    is_group: bool
    label: str
    structure: int


@dataclass(frozen=True, slots=True)
class Series:
    items: Sequence[Item]

    @property
    def label(self) -> str:
        return f"{self.items[0].label}–{self.items[-1].label}"

    def id_in(self, parent_id: str) -> str:
        """Ends with a slash as groups do; the star is in no group's id, because it starts a part of the path."""
        return f"{parent_id}*{self.items[0].label}..{self.items[-1].label}/"


def stack_items(items: Iterable[Item], is_alone: Callable[[Item], bool]) -> Iterator[Item | Series]:
    """Joins equal neighbours whose labels differ in numbers only. `is_alone` items, such as open groups, never join."""
    row: list[Item] = []
    for item in items:
        if row and not (_are_equal(row[-1], item) and not is_alone(item)):
            yield from _row(row)
            row = []
        if is_alone(item):
            yield item
        else:
            row.append(item)
    yield from _row(row)


def _row(row: Sequence[Item]) -> Iterator[Item | Series]:
    if row and len(row) >= (MIN_GROUPS if row[0].is_group else MIN_NODES):
        yield Series(tuple(row))
    else:
        yield from row


def _are_equal(one: Item, other: Item) -> bool:
    return (
        one.is_group == other.is_group
        and one.structure == other.structure
        and NUMBER.sub("#", one.label) == NUMBER.sub("#", other.label)
    )
