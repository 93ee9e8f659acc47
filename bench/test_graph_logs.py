"""The generated graphs: as many nodes as wanted, and nothing that a viewer could stumble over."""

from __future__ import annotations

import pytest

from bench.graph_logs import WIDE_GROUP, WIDE_NODES, flat, lanes, transformer
from seamark.format.messages import GraphDef


@pytest.mark.parametrize("graph", [transformer(1_000), transformer(12_345), flat(500), lanes(500)])
def test_every_input_is_the_name_of_one_earlier_node(graph: GraphDef) -> None:
    known: set[str] = set()
    for node in graph.node:
        assert node.name not in known
        assert known.issuperset(node.input), node.name
        known.add(node.name)


def test_a_transformer_has_exactly_as_many_nodes_as_wanted() -> None:
    assert [len(transformer(nodes).node) for nodes in (400, 1_000, 12_345)] == [400, 1_000, 12_345]


def test_one_group_has_two_hundred_nodes_on_one_level() -> None:
    names = [node.name for node in transformer(1_000).node if node.name.startswith(f"{WIDE_GROUP}/")]
    assert len(names) == WIDE_NODES
    assert all(name.count("/") == 1 for name in names)


def test_neighbouring_blocks_differ() -> None:
    nodes = transformer(10_000).node

    def ops(block: int) -> list[str]:
        return [node.op for node in nodes if node.name.startswith(f"model/layer_{block}/")]

    assert len({tuple(ops(block)) for block in range(4)}) == 4
    assert ops(0) == ops(4)
