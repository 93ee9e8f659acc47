"""Compiling what people typed, without what Python prints about it."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

# The filters of warnings belong to the whole process.
_ONE_AT_A_TIME = threading.Lock()


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    with quietly():
        return re.compile(pattern, flags)


@contextmanager
def quietly() -> Iterator[None]:
    """Without what Python prints about odd patterns and escapes: whoever runs the server did not write them."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
