"""Parses names of event files: time of creation, host and process.

TensorFlow, torch, tensorboardX and Seamark use `events.out.tfevents.<seconds>.<host>[.<process>.<number>][<suffix>]`;
tensorboardX leaves out process and number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_NAME = re.compile(r"tfevents\.(?P<secs>\d{1,18})\.(?P<rest>.+)", re.DOTALL)
_PROCESS = re.compile(r"(?P<host>.+?)\.(?P<process>\d{1,18})\.(?P<number>\d{1,18})(?P<suffix>\D.*)?", re.DOTALL)
_DIGITS = re.compile(r"(\d+)")

OrderKey = tuple[int, tuple[object, ...]]


class WriterName(NamedTuple):
    """The writer of a file, as far as the name tells."""

    writer: str  # host and suffix: equal for files that one program wrote on one machine
    process: str | None  # its id on that host


def order_key(name: str) -> OrderKey:
    """Sorts files by time of creation, then by name with numbers as numbers: `….6` before `….10`."""
    found = _NAME.search(name)
    # Numbers of any length compare by length, then digits, without being converted.
    parts = [
        (len(text.lstrip("0")), text.lstrip("0")) if at % 2 else text for at, text in enumerate(_DIGITS.split(name))
    ]
    return (int(found["secs"]) if found else 0, (*parts, name))


@lru_cache(maxsize=4096)
def writer_of(name: str) -> WriterName:
    found = _NAME.search(name)
    if found is None:
        return WriterName("", None)
    prefix, rest = name[: found.start()], found["rest"]
    process = _PROCESS.fullmatch(rest)
    if process is None:
        return WriterName(f"{prefix}\n{rest}", None)
    return WriterName(f"{prefix}\n{process['host']}\n{process['suffix'] or ''}", process["process"])
