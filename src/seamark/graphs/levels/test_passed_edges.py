"""Edges lead past hidden nodes in chains, branches and cycles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Edges
from seamark.graphs.levels.folds import edges_past, kinds_of_nodes


def edges_of(*pairs: tuple[int, int]) -> Edges:
    columns = np.array(sorted(pairs, key=lambda pair: pair[1]), np.int32).reshape(-1, 2)
    outputs = (10 * columns[:, 0]).astype(np.int32)  # any number that shows which edge was followed
    return Edges(columns[:, 0], columns[:, 1], outputs, np.zeros(len(columns), bool))


def past(edges: Edges, hidden: list[int], passing: list[int] | None = None) -> set[tuple[int, int, int]]:
    masks = np.zeros((2, 12), bool)
    masks[0, hidden], masks[1, hidden if passing is None else passing] = True, True
    return set(zip(*(column.tolist() for column in edges_past(edges, masks[0], masks[1])), strict=True))


def test_a_chain_of_hidden_nodes_becomes_one_edge_with_the_output_of_its_start() -> None:
    edges = edges_of((0, 1), (1, 2), (2, 3), (3, 4), (2, 5))
    assert past(edges, [1, 2, 3]) == {(0, 0, 4), (0, 0, 5)}


def test_a_hidden_node_with_several_inputs_passes_on_all_of_them() -> None:
    edges = edges_of((0, 2), (1, 2), (2, 3), (3, 4))
    assert past(edges, [2, 3]) == {(0, 0, 4), (1, 10, 4)}


def test_nothing_leads_past_a_hidden_node_of_another_kind() -> None:
    assert past(edges_of((0, 1), (1, 2), (2, 3)), [1, 2], passing=[2]) == set()


def test_a_cycle_of_hidden_nodes_ends() -> None:
    assert past(edges_of((1, 2), (2, 1), (2, 3)), [1, 2]) == set()
    assert past(edges_of((0, 1), (1, 2), (2, 1), (2, 3)), [1, 2]) == {(0, 0, 3)}


@pytest.mark.parametrize("seed", range(20))
def test_edges_past_random_graphs_are_those_of_a_search(seed: int) -> None:
    random = np.random.default_rng(seed)
    pairs = {(int(source), int(target)) for source, target in random.integers(0, 12, (18, 2)) if source != target}
    edges = edges_of(*pairs)
    hidden = random.random(12) < 0.6
    found = edges_past(edges, hidden, hidden)
    assert set(zip(found[0].tolist(), found[2].tolist(), strict=True)) == searched(edges, hidden)


def searched(edges: Edges, hidden: NDArray[np.bool_]) -> set[tuple[int, int]]:
    pairs = list(zip(edges.sources.tolist(), edges.targets.tolist(), strict=True))

    def sources(node: int, seen: set[int]) -> set[int]:
        above = {source for source, target in pairs if target == node} - seen
        seen |= above
        return {node for node in above if not hidden[node]}.union(
            *(sources(node, seen) for node in above if hidden[node])
        )

    ends = [(last, target) for last, target in pairs if hidden[last] and not hidden[target]]
    return {(source, target) for last, target in ends for source in sources(last, {last})}


def test_a_scope_called_gradients_is_noise_with_all_below_it_but_a_module_of_that_name_is_not() -> None:
    builder = GraphBuilder("t", "t")
    for name in ("gradients/a/b/c", "gradients/d", "other/gradients_1/e", "model/f", "Net/Probe[grads]/g"):
        builder.add_node(name, op="Add")
    kinds = kinds_of_nodes(builder.build())
    assert kinds["gradients"].tolist() == [True, True, True, False, False]
