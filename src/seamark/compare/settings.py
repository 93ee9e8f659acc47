"""Numbers and words that others ask for without what they belong to: a server starts without the rest of this room."""

from typing import Literal

# How many last points `tail` is the mean of.
DEFAULT_TAIL = 10
# Between two looks at the files of one run, and at those of all runs.
LOOK_SECS = 2.0
LOOK_ALL_SECS = 10.0

FileKind = Literal["events", "record", "console", "diff", "config", "text", "image", "other"]
# Of a row of a difference.
State = Literal["same", "changed", "added", "removed"]
