"""Types for the numbers and strings that layers pass to one another."""

from enum import IntEnum
from typing import NewType

Step = NewType("Step", int)
WallTime = NewType("WallTime", float)  # seconds since 1970
Tag = NewType("Tag", str)
RunName = NewType("RunName", str)


class Form(IntEnum):
    """How a value stands in its event; the numbers are the core's FORM_* and part of the index."""

    SCALAR = 0
    TENSOR = 1
    IMAGE = 2
    HISTO = 3
    AUDIO = 4
    NO_VALUE = 5
    OLD_HISTO = 6
    GRAPH_DEF = 8
    META_GRAPH_DEF = 9
    RUN_METADATA = 10
    SESSION_LOG = 11
    LOG_MESSAGE = 12


# System metrics have seconds since the start as their steps, so they do not count as progress.
SYSTEM_PREFIX = "system/"
