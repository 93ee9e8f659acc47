"""ViewOptions: the part of a graph that a person wants to see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Of a box: a node; a namespace; equal groups or nodes in a row.
BoxType = Literal["op", "group", "series"]


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """Which groups are open, and what is shown of them.

    `open` None: a first view is chosen. "GROUP**" opens a group and all groups below. `unstacked` names groups whose
    series are shown one by one, and members of series that are shown alone. `isolated`: only these boxes are shown.
    """

    open: frozenset[str] | None = None
    unstacked: frozenset[str] = frozenset()
    unfolded: frozenset[str] = frozenset()
    isolated: frozenset[str] = frozenset()
