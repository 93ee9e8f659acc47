"""Helpers of the writers' tests: the events they have written, and the warnings they have logged."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seamark import _core
from seamark.format.messages import Event


def events_in(folder: Path) -> list[Event]:
    """The events of all files, in the order they were created, without the version event."""
    found = []
    # Names end in a counter without leading zeros.
    for path in sorted(folder.glob("*tfevents*"), key=lambda each: (len(each.name), each.name)):
        found += [Event.FromString(data) for data in _core.unframe(path.read_bytes())]
    return found[1:]


def values_in(folder: Path) -> list[Any]:
    return [value for event in events_in(folder) for value in event.summary.value]


@contextmanager
def logged_warnings(match: str = "") -> Iterator[list[str]]:
    """Collects the warnings that Seamark logs within the block; at least one has to match."""
    messages: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("seamark")
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
    assert any(re.search(match, message) for message in messages), messages
