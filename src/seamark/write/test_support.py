"""What the writers of a test have written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seamark.format.messages import Event


def events_in(folder: Path) -> list[Event]:
    """All but the first, which names the version."""
    found = []
    for path in sorted(folder.glob("*tfevents*")):
        data, at = path.read_bytes(), 0
        while at < len(data):
            end = at + 12 + int.from_bytes(data[at : at + 8], "little")
            found.append(Event.FromString(data[at + 12 : end]))
            at = end + 4
    return found[1:]


def values_in(folder: Path) -> list[Any]:
    return [value for event in events_in(folder) for value in event.summary.value]
