"""Constants of this package that a server needs at its start, without importing the rest."""

from typing import Literal

# The number of last points that `tail` averages.
DEFAULT_TAIL = 10
# Between two checks of the files of one run, and of all runs.
LOOK_SECS = 2.0
LOOK_ALL_SECS = 10.0

# Of a run to which something is being written.
LIVE_STATUSES = frozenset({"running", "writing"})

FileKind = Literal["events", "record", "console", "diff", "config", "text", "image", "other"]
ColumnSource = Literal["run", "param", "metric", "summary"]
ColumnType = Literal["number", "text", "bool", "time", "duration", "list"]
Goal = Literal["min", "max"]
# How the other runs compare with the first in a row of a difference.
State = Literal["same", "changed", "added", "removed"]
