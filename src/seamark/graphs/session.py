"""GraphSession: a graph that people look at, with what was computed of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING

from seamark.graphs.form import Graph
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.visible import Levels, Visible

if TYPE_CHECKING:
    from seamark.graphs.compare import Comparison
    from seamark.graphs.costs import Costs
    from seamark.graphs.layers import LayersTable
    from seamark.graphs.profiles import Profile

MAX_VIEWS = 8


class GraphSession:
    """Thread-safe. What it computes depends on the graph alone, so computing it twice does no harm."""

    def __init__(self, graph: Graph, comparison: Comparison | None = None) -> None:
        self.graph = graph
        self.comparison = comparison  # if the graph is two graphs as one
        self.levels = Levels(graph)
        self._lock = threading.Lock()
        self._views: OrderedDict[ViewOptions, Visible] = OrderedDict()

    def visible(self, options: ViewOptions) -> Visible:
        with self._lock:
            found = self._views.get(options)
        if found is None:
            found = self.levels.visible(options)
            with self._lock:
                self._views[options] = found
                while len(self._views) > MAX_VIEWS:
                    self._views.popitem(last=False)
        return found

    @cached_property
    def costs(self) -> Costs:
        from seamark.graphs.costs import costs_of

        return costs_of(self.graph)

    def layers(self, profile: Profile | None = None) -> LayersTable:
        from seamark.graphs.layers import layers_table

        return layers_table(self.graph, self.costs, None if profile is None else profile.time_us)

    @cached_property
    def xla_clusters(self) -> list[str]:
        """By node: the XLA cluster that TensorFlow put it into, or ""."""
        attributes = self.graph.nodes.attributes
        marked = b"_XlaCluster" in attributes.data
        return [
            str(attributes.of(node).get("_XlaCluster", "")) if marked else "" for node in range(len(self.graph.nodes))
        ]
