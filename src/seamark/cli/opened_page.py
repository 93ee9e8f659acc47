"""OpenedPage: the page that a command opens instead of the first one."""

from __future__ import annotations

from typing import NamedTuple


class OpenedPage(NamedTuple):
    title: str  # what it shows
    fragment: str  # of its address
