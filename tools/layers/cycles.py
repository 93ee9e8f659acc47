"""Import cycles: the strongly connected components of a graph of modules."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet


def find_cycles(graph: Mapping[str, AbstractSet[str]]) -> list[list[str]]:
    """The groups of modules that import one another, directly or through others; the largest group first."""
    search = _Search(graph)
    for name in sorted(graph):
        if name not in search.order:
            search.visit(name)
    return sorted((sorted(each) for each in search.components if len(each) > 1), key=lambda each: (-len(each), each))


class _Search:
    """Tarjan's algorithm."""

    def __init__(self, graph: Mapping[str, AbstractSet[str]]) -> None:
        self.graph = graph
        self.order: dict[str, int] = {}
        self.lowest: dict[str, int] = {}
        self.stack: list[str] = []
        self.components: list[list[str]] = []

    def visit(self, name: str) -> None:
        self.order[name] = self.lowest[name] = len(self.order)
        self.stack.append(name)
        for target in sorted(self.graph.get(name, ())):
            if target not in self.order:
                self.visit(target)
                self.lowest[name] = min(self.lowest[name], self.lowest[target])
            elif target in self.stack:
                self.lowest[name] = min(self.lowest[name], self.order[target])
        if self.lowest[name] == self.order[name]:
            start = self.stack.index(name)
            self.components.append(self.stack[start:])
            del self.stack[start:]
