"""Compiles text from users without Python's warnings."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

# Warning filters are global.
_ONE_AT_A_TIME = threading.Lock()


def compile_regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    with suppress_warnings():
        return re.compile(pattern, flags)


@contextmanager
def suppress_warnings() -> Iterator[None]:
    """Python warns about unusual patterns and escapes, but users wrote them, not the operator of the server."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
