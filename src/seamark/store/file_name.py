"""What the name of an event file says: when it was made, on which host, by which process.

`events.out.tfevents.<seconds>.<host>[.<process>.<number>][<suffix>]` is how TensorFlow, torch, tensorboardX and Seamark
call them; tensorboardX leaves out process and number.
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
    """Who wrote a file, as far as its name says."""

    writer: str  # host and suffix: equal for two files that one program wrote on one machine, one after the other
    process: str | None  # of that machine


def order_key(name: str) -> OrderKey:
    """Files of a run in order of creation, then by name with numbers as numbers: `….6` before `….10`."""
    found = _NAME.search(name)
    # Numbers of any length, without the cost of converting them: the longer one is the greater one.
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
