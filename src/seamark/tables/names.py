"""Names of columns: each is used once."""

from __future__ import annotations

from collections.abc import Iterable


def unused_name(name: str, names: set[str]) -> str:
    """The name, or "name (2)" for the second column of that name."""
    name = name.strip() or "unnamed"
    result, number = name, 2
    while result in names:
        result, number = f"{name} ({number})", number + 1
    return result


def distinct_names(names: Iterable[str]) -> list[str]:
    """The names in their order, with a number behind each that came before."""
    # Counted by name: of many equal names, `unused_name` alone would try all numbers again for each.
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
