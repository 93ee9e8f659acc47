"""GraphCache: graphs that were read once, as files in a folder of the index."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from seamark.format.file_cache import FileCache
from seamark.graphs import saved
from seamark.graphs.form import Graph

LOG = logging.getLogger(__name__)
MAX_BYTES = 512 << 20
# A smaller graph is read as fast from its source.
MIN_NODES = 2000


class GraphCache:
    """For any thread. Without a folder, or if the disk fails, graphs are read from their sources."""

    def __init__(self, folder: Path | None, *, max_bytes: int = MAX_BYTES, min_nodes: int = MIN_NODES) -> None:
        self._files, self._min_nodes = FileCache(folder, suffix=".graph", max_bytes=max_bytes), min_nodes

    def get(self, key: str, read: Callable[[], Graph]) -> Graph:
        """The graph with this key, or what `read` returns, which is then stored.

        The key identifies the source and its content: the path of the file, its time, the offset and length in it.
        """
        data = self._files.load(key)
        graph = None if data is None else saved.load(data)
        if graph is None:
            graph = read()
            if len(graph.nodes) >= self._min_nodes:
                self._store(key, graph)
        return graph

    def _store(self, key: str, graph: Graph) -> None:
        try:
            data = saved.dump(graph)
        except ValueError as error:
            LOG.warning("cannot cache a graph: %s", error)
        else:
            self._files.store(key, data)
