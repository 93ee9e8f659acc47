"""GraphRef: the name of one graph."""

from __future__ import annotations

from typing import NamedTuple

from seamark.format.types import RunName


class GraphRef(NamedTuple):
    """Names one graph.

    `graph` is "run_graph", "run_graph:INDEX" for an earlier one, "profile:TAG", "keras:TAG", "file:PATH" or
    "upload:ID".
    """

    run: RunName
    graph: str
