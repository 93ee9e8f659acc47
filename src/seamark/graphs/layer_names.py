"""Which logged tags belong to a layer: those whose name has the layer's path at its end, or one part before it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from seamark.graphs.form import Graph

SEPARATOR = re.compile(r"[./]")
# Parts that a tag may have before and after the layer's path: "gradients/module.h.5.attn.weight".
MAX_BEFORE = 4
MAX_AFTER = 1
# The last parts of the tags of `seamark.watch`: "gradients/h.5.attn.weight/norm". They count as no part.
STATISTICS = frozenset({"norm", "mean", "std", "zeros", "nan", "inf"})
# The last part of the tags of Keras' callback: "dense/kernel/histogram". It counts as no part either.
KIND_PARTS = frozenset({"histogram"})


class LayerTags:
    """Tags by the layer that they name. A tag is a pair of kind and name."""

    def __init__(self, tags: Iterable[tuple[str, str]]) -> None:
        self._tags: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for kind, tag in tags:
            parts = tuple(SEPARATOR.split(tag))
            max_after = MAX_AFTER + (parts[-1] in STATISTICS or parts[-1] in KIND_PARTS)
            for after in range(min(max_after, len(parts) - 1) + 1):
                end = len(parts) - after
                for start in range(min(MAX_BEFORE, end - 1) + 1):
                    self._tags.setdefault(parts[start:end], []).append((kind, tag))

    def of(self, layer: str) -> list[tuple[str, str]]:
        """The tags of a layer: those of its own first, then those of its weights."""
        found = self._tags.get(tuple(SEPARATOR.split(layer)), []) if layer else []
        return list(dict.fromkeys(found))


def split_statistic(tag: str) -> tuple[str, str]:
    """The name of the tensor, and which statistic of it the tag has: "" for a tag that names none."""
    tensor, _, last = tag.rpartition("/")
    return (tensor, last) if tensor and last in STATISTICS else (tag, "")


def layer_of_group(graph: Graph, group: int) -> str:
    """The name under which the weights of a group are logged: its layer's, or the path in scopes."""
    return graph.groups.layers[group] or graph.groups.ids[group].strip("/")


def layer_of_node(graph: Graph, node: int) -> str:
    """A node of Keras is a layer itself; any other belongs to the layer of its group."""
    group = int(graph.nodes.groups[node])
    if graph.format != "keras":
        return layer_of_group(graph, group)
    above = graph.groups.layers[group]
    return f"{above}.{graph.nodes.labels[node]}" if above else graph.nodes.labels[node]
