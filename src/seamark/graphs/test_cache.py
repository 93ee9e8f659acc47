"""The cache of graphs: read once, least recently used removed, and never in the way."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from seamark.graphs.cache import GraphCache
from seamark.graphs.form import Graph
from seamark.graphs.readers.test_support import node, read


class Source:
    """Counts how often a graph is read."""

    def __init__(self, names: int = 3) -> None:
        self.reads = 0
        self._graph = read(*[node(f"node{number}") for number in range(names)])

    def __call__(self) -> Graph:
        self.reads += 1
        return self._graph


def test_a_graph_is_read_once_even_by_another_process(tmp_path: Path) -> None:
    source = Source()
    for _ in range(3):
        graph = GraphCache(tmp_path / "graphs", min_nodes=1).get("a", source)
    assert source.reads == 1 and graph.nodes.ids == ["node0", "node1", "node2"]
    GraphCache(tmp_path / "graphs", min_nodes=1).get("b", source)
    assert source.reads == 2


def test_small_graphs_and_a_missing_folder_are_not_cached(tmp_path: Path) -> None:
    source = Source()
    for cache in (GraphCache(None), GraphCache(tmp_path / "graphs", min_nodes=100)):
        cache.get("a", source)
        cache.get("a", source)
    assert source.reads == 4 and not (tmp_path / "graphs").exists()


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    cache, source = GraphCache(tmp_path, min_nodes=1), Source()
    cache.get("a", source)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    cache.get("a", source)
    cache.get("a", source)
    assert source.reads == 2 and list(tmp_path.iterdir()) == [file]


def test_the_least_recently_used_is_removed(tmp_path: Path) -> None:
    source = Source(200)
    GraphCache(tmp_path, min_nodes=1).get("a", source)
    size = next(tmp_path.iterdir()).stat().st_size
    cache = GraphCache(tmp_path, min_nodes=1, max_bytes=2 * size + size // 2)
    cache.get("b", source)
    for age_secs, file in enumerate(sorted(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns)):
        os.utime(file, (1000 + age_secs, 1000 + age_secs))
    cache.get("a", source)  # used again, so "b" is the oldest
    cache.get("c", source)
    assert source.reads == 3 and len(list(tmp_path.iterdir())) == 2
    cache.get("a", source)
    assert source.reads == 3
    cache.get("b", source)
    assert source.reads == 4


def test_a_failing_disk_is_logged_and_the_graph_is_shown(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "graphs"
    folder.write_text("not a folder")
    source = Source()
    with caplog.at_level(logging.WARNING):
        assert len(GraphCache(folder, min_nodes=1).get("a", source).nodes) == 3
    assert "cannot" in caplog.text
