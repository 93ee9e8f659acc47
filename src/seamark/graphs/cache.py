"""GraphCache: graphs that were read once, as files in a folder of the index."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from seamark.format.cache_folder import mark_used, remove_least_used, replacing
from seamark.graphs import saved
from seamark.graphs.form import Graph

LOG = logging.getLogger(__name__)
MAX_BYTES = 512 << 20
# A smaller graph is read as fast from its source.
MIN_NODES = 2000
SUFFIX = ".graph"


class GraphCache:
    """For any thread. Without a folder, or if the disk fails, graphs are read from their sources."""

    def __init__(self, folder: Path | None, *, max_bytes: int = MAX_BYTES, min_nodes: int = MIN_NODES) -> None:
        self._folder, self._max_bytes, self._min_nodes = folder, max_bytes, min_nodes

    def get(self, key: str, read: Callable[[], Graph]) -> Graph:
        """The graph with this key, or what `read` returns, which is then stored.

        The key identifies the source and its content: the path of the file, its time, the offset and length in it.
        """
        if self._folder is None:
            return read()
        path = self._folder / (hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=16).hexdigest() + SUFFIX)
        graph = _load(path)
        if graph is None:
            graph = read()
            if len(graph.nodes) >= self._min_nodes:
                self._store(path, graph)
        return graph

    def _store(self, path: Path, graph: Graph) -> None:
        try:
            data = saved.dump(graph)
            if len(data) > self._max_bytes // 2:
                return
            with replacing(path) as file:
                file.write(data)
            remove_least_used(path.parent, (SUFFIX,), self._max_bytes)
        except (OSError, ValueError) as error:
            LOG.warning("cannot cache a graph (%s): '%s'", error, path)


def _load(path: Path) -> Graph | None:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        LOG.warning("cannot read a cached graph (%s): '%s'", error, path)
        return None
    graph = saved.load(data)
    if graph is not None:
        try:
            mark_used(path)
        except OSError as error:
            LOG.debug("cannot mark a cached graph as used (%s): '%s'", error, path)
    return graph
