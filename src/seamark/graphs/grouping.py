"""GroupTable: the groups of a graph, from the paths of its nodes."""

from __future__ import annotations

import re

import numpy as np

from seamark.graphs.form import ROOT, ROOT_ID, Groups, IntColumn

# Deeper groups are joined with the one at this depth: nobody opens so many, and their paths would fill the memory.
MAX_DEPTH = 64
# torch writes the module `features` of class Sequential as "Sequential[features]".
TYPE_AND_NAME = re.compile(r"(\w+)\[([^\[\]]+)\]")


class GroupTable:
    def __init__(self) -> None:
        self.cut = 0  # nodes that were nested too deeply
        self._index_of: dict[str, int] = {"": ROOT}
        self._labels = [""]
        self._types = [""]
        self._layers = [""]
        self._parents = [-1]

    def add(self, path: str) -> int:
        """The index of the group with this path, which is made if need be. Valid until `build`."""
        found = self._index_of.get(path)
        if found is not None:
            return found
        parts = [part for part in path.split("/") if part]
        if len(parts) > MAX_DEPTH:
            self.cut += 1
            parts = parts[:MAX_DEPTH]
        group, above = ROOT, ""
        for part in parts:
            above = f"{above}/{part}" if above else part
            known = self._index_of.get(above)
            group = self._new(above, part, group) if known is None else known
        self._index_of[path] = group
        return group

    def find(self, path: str) -> int | None:
        """The index of the group with this path, if there is one. Valid until `build`."""
        return self._index_of.get(path)

    def describe(self, path: str, *, label: str = "", type: str = "", layer: str = "") -> None:
        """States what a reader knows of a group, in place of what its path suggests."""
        group = self.add(path)
        self._labels[group] = label or self._labels[group]
        self._types[group] = type or self._types[group]
        self._layers[group] = layer or self._layers[group]

    def _new(self, path: str, part: str, parent: int) -> int:
        group = self._index_of[path] = len(self._labels)
        match = TYPE_AND_NAME.fullmatch(part)
        name = match[2] if match else part
        above = self._layers[parent]
        # The class of the whole model is no part of its layers' names, which start below it.
        is_layer = match is not None or above != ""
        # A number alone says nothing: the block 5 of h is "h.5".
        is_number = match is not None and name.isdecimal() and above != ""
        self._labels.append(f"{self._labels[parent]}.{name}" if is_number else name)
        self._types.append(match[1] if match else "")
        self._layers.append(f"{above}.{name}" if above else name if is_layer else "")
        self._parents.append(parent)
        return group

    def build(self) -> tuple[Groups, IntColumn]:
        """The groups in preorder, and the new index of each."""
        children: list[list[int]] = [[] for _ in self._parents]
        for group, parent in enumerate(self._parents[1:], start=1):
            children[parent].append(group)
        order: list[int] = []
        stack = [ROOT]
        while stack:
            group = stack.pop()
            order.append(group)
            stack.extend(reversed(children[group]))
        new_index = np.empty(len(order), np.int32)
        new_index[order] = np.arange(len(order), dtype=np.int32)
        parents = np.array([new_index[self._parents[group]] if group else -1 for group in order], np.int32)
        ends = np.arange(1, len(order) + 1, dtype=np.int32)
        for group in range(len(order) - 1, 0, -1):
            ends[parents[group]] = max(ends[parents[group]], ends[group])
        path_of = {group: path for path, group in reversed(self._index_of.items())}
        groups = Groups(
            ids=[f"{path_of[group]}/" if group else ROOT_ID for group in order],
            labels=[self._labels[group] for group in order],
            types=[self._types[group] for group in order],
            layers=[self._layers[group] for group in order],
            parents=parents,
            ends=ends,
        )
        return groups, new_index
