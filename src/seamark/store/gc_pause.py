"""Pauses Python's garbage collector while many objects are created that all stay alive."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disables the collector of the whole process for the time of a `with` block.

    The first walk of 10,000 indexed runs creates about a million objects; without the pause the collector traverses
    them again and again, and loading takes 0.6 to 0.7 s of processor time instead of 0.5 s.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
