"""Names of columns: each is used once."""

from __future__ import annotations

from collections.abc import Iterable


def distinct_names(names: Iterable[str]) -> list[str]:
    """The names in their order, with a number behind each that came before."""
    # Counted by name: of many equal names, each would try all numbers again.
    used: set[str] = set()
    next_number: dict[str, int] = {}
    result = []
    for given in names:
        name = given.strip() or "unnamed"
        candidate, number = name, next_number.get(name, 2)
        while candidate in used:
            candidate, number = f"{name} ({number})", number + 1
        next_number[name] = number
        used.add(candidate)
        result.append(candidate)
    return result
