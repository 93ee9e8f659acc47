"""NodeIds: gives every node an id that no other node and no group has."""

from __future__ import annotations

from seamark.graphs.problems import repeated

MAX_NAME_CHARS = 2000


class NodeIds:
    def __init__(self) -> None:
        self.index_of: dict[str, int] = {}  # in order of the nodes
        self._renamed: list[str] = []
        self._last_number: dict[str, int] = {}
        self._cut: set[int] = set()

    def add(self, name: str) -> str:
        """The id of the next node. A name that is taken gets a number: "name#2"."""
        id = self.unused(name)
        is_cut_and_new = self._is_cut_and_new(name)
        if id != (wanted := _clean(name)) and not is_cut_and_new:
            self._renamed.append(wanted)
        self.index_of[id] = len(self.index_of)
        return id

    def _is_cut_and_new(self, name: str) -> bool:
        """Names that are cut may be equal then, but were not. A hash takes the place of a long name."""
        if len(name) <= MAX_NAME_CHARS:
            return False
        is_new = hash(name) not in self._cut
        self._cut.add(hash(name))
        return is_new

    def unused(self, name: str) -> str:
        wanted = _clean(name)
        if wanted not in self.index_of:
            return wanted
        number = self._last_number.get(wanted, 1) + 1
        while f"{wanted}#{number}" in self.index_of:
            number += 1
        self._last_number[wanted] = number
        return f"{wanted}#{number}"

    @property
    def list(self) -> list[str]:
        return list(self.index_of)

    @property
    def problem(self) -> str:
        """A sentence about the names that several nodes have, if there are any."""
        if not self._renamed:
            return ""
        return repeated(self._renamed)


def _clean(name: str) -> str:
    return name.rstrip("/")[:MAX_NAME_CHARS] or "unnamed"
