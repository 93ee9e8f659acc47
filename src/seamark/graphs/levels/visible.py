"""Levels: which boxes and edges of a graph are visible while some of its groups are open."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import ROOT, Graph, IntColumn
from seamark.graphs.levels import folds
from seamark.graphs.levels.bundles import BoxEdges, bundle_edges
from seamark.graphs.levels.hierarchy import Hierarchy
from seamark.graphs.levels.options import BoxType, ViewOptions
from seamark.graphs.levels.series import Item, Series, stack_items

# More boxes than this in one group are neither readable nor worth their layout.
MAX_LEVEL_BOXES = 5000
# Of a group with more, so many boxes on both sides of one that is wanted are drawn with it.
MAX_AROUND_WANTED = 100
# The first view opens groups as long as it has at most so many boxes.
MAX_FIRST_BOXES = 36
# "Open all below" stops at so many.
MAX_BELOW_BOXES = 3000
BELOW = "**"


@dataclass(slots=True, eq=False)
class Boxes:
    """Columns. A parent comes before its children."""

    ids: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    types: list[BoxType] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    is_open: list[bool] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    repeats: list[int] = field(default_factory=list)
    structures: list[int] = field(default_factory=list)
    items: list[tuple[Item, ...]] = field(default_factory=list)  # the node, the group, or the members of the series

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Visible:
    boxes: Boxes
    edges: BoxEdges
    is_aside: NDArray[np.bool_]
    box_of_node: IntColumn  # -1 for a hidden node
    open: frozenset[str]
    problems: tuple[str, ...]


class Levels:
    """The views of one graph. Thread-safe: its parts are computed once and not changed."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.hierarchy = Hierarchy(graph)
        self._group_of = {id: group for group, id in enumerate(graph.groups.ids)}

    @cached_property
    def kinds(self) -> dict[str, folds.NodeMask]:
        return folds.kinds_of_nodes(self.graph)

    @cached_property
    def node_of(self) -> dict[str, int]:
        return {id: node for node, id in enumerate(self.graph.nodes.ids)}

    @cached_property
    def shared_structures(self) -> IntColumn:
        """By group: a number from 1 for groups that others are equal to, otherwise 0."""
        _, found, counts = np.unique(self.hierarchy.group_structures, return_inverse=True, return_counts=True)
        number = np.where(counts > 1, np.cumsum(counts > 1), 0)
        return number[found].astype(np.int32)

    def visible(self, options: ViewOptions) -> Visible:
        hidden = self._hidden(options)
        counts = self.hierarchy.sums(~hidden)
        boxes = Boxes()
        problems: list[str] = []
        if options.open is None:
            opened = self.first_open(hidden, options.unstacked)
        else:
            opened = self._with_below(options.open, hidden, counts, problems)
        around = self._around(options.isolated)
        stack: list[tuple[int, int]] = [(ROOT, -1)]
        while stack:
            group, box = stack.pop()
            inner: list[tuple[int, int]] = []
            children = self._children(group, hidden, counts, opened, options.unstacked)
            for child in self._drawn(group, children, opened | options.unstacked, counts, problems):
                self._add(boxes, child, group, box, counts, opened, around)
                if boxes.is_open[-1]:
                    inner.append((boxes.items[-1][0].index, len(boxes) - 1))
            stack.extend(reversed(inner))
        box_of_node = self._box_of_node(boxes, hidden)
        edges = bundle_edges(self.hierarchy, box_of_node, self._passed_edges(hidden, options), len(boxes))
        shown = frozenset(id for id, is_open in zip(boxes.ids, boxes.is_open, strict=True) if is_open)
        return Visible(boxes, edges, _aside(edges, len(boxes)), box_of_node, shown, tuple(problems))

    def _drawn(
        self,
        group: int,
        children: Iterator[Item | Series],
        wanted: Collection[str],
        counts: NDArray[np.float64],
        problems: list[str],
    ) -> Sequence[Item | Series]:
        """The children of a group; of too many, those that are wanted with those around them, then the first ones."""
        first = list(islice(children, MAX_LEVEL_BOXES + 1))
        if len(first) <= MAX_LEVEL_BOXES:
            return first
        found = [*first, *children] if wanted else first
        places = [at for at, child in enumerate(found) if isinstance(child, Item) and self._id(child) in wanted]
        chosen = _chosen_places(places, len(found))
        problems.append(self._left_out(group, counts, is_first=bool(chosen[-1] < MAX_LEVEL_BOXES)))
        return [found[at] for at in chosen.tolist()]

    def first_open(self, hidden: folds.NodeMask, unstacked: frozenset[str]) -> frozenset[str]:
        """The groups to open first: the largest, until a screen is well filled; of a series, its first member."""
        counts = self.hierarchy.sums(~hidden)
        ids = self.graph.groups.ids
        opened: set[str] = set()
        queue: list[tuple[float, int]] = []

        def level(group: int) -> list[Item | Series]:
            return list(self._children(group, hidden, counts, frozenset(), unstacked))

        def add(children: list[Item | Series]) -> int:
            for child in children:
                item = child if isinstance(child, Item) else child.items[0]
                if item.is_group and counts[item.index] > 1:
                    heapq.heappush(queue, (-counts[item.index], item.index))
            return len(children)

        total = add(level(ROOT))
        while queue:
            _, group = heapq.heappop(queue)
            children = level(group)
            if total + len(children) <= MAX_FIRST_BOXES:
                opened.add(ids[group])
                total += add(children) - 1
        return frozenset(opened)

    def _with_below(
        self, wanted: frozenset[str], hidden: folds.NodeMask, counts: NDArray[np.float64], problems: list[str]
    ) -> frozenset[str]:
        """The open groups, with those that "**" stands for: level by level, until there are too many boxes."""
        opened = {id for id in wanted if not id.endswith(BELOW)}
        starts = [id.removesuffix(BELOW) for id in sorted(wanted) if id.endswith(BELOW)]
        queue = deque(self._group_of[id] for id in starts if id in self._group_of)
        total = 0
        while queue:
            group = queue.popleft()
            total += len(self._sorted_children(group, hidden, counts))
            if total > MAX_BELOW_BOXES:
                problems.append(f"not all groups are open: more than {MAX_BELOW_BOXES:,} boxes would be visible")
                break
            opened.add(self.graph.groups.ids[group])
            queue.extend(child for child in self.hierarchy.groups_in(group).tolist() if counts[child] > 1)
        return frozenset(opened)

    def items_of(self, id: str) -> tuple[Item, ...]:
        """The node, the group, or the members of the series with this id; () if there is none."""
        group = self._group_of.get(id)
        if group is not None:
            return (self._group_item(group),)
        node = self.node_of.get(id)
        return self._members(id) if node is None else (self._node_item(node),)

    def nodes_of(self, items: tuple[Item, ...]) -> IntColumn:
        """All nodes in these items."""
        below = [
            self.hierarchy.nodes_below(item.index) if item.is_group else np.array([item.index], np.int32)
            for item in items
        ]
        return np.concatenate(below) if below else np.zeros(0, np.int32)

    def item(self, index: int, *, is_group: bool) -> Item:
        return self._group_item(index) if is_group else self._node_item(index)

    def _members(self, id: str) -> tuple[Item, ...]:
        parent, star, labels = id.removesuffix("/").rpartition("/*")
        group = self._group_of.get(f"{parent}/" if parent else "/") if star else None
        if group is None and id.startswith("/*"):
            group, labels = ROOT, id.removesuffix("/")[2:]
        if group is None:
            return ()
        first, _, last = labels.partition("..")
        children = self._sorted_children(
            group, np.zeros(len(self.graph.nodes), bool), self.hierarchy.sums(np.ones(len(self.graph.nodes)))
        )
        names = [child.label for child in children]
        if first not in names or last not in names:
            return ()
        start = names.index(first)
        wanted = children[start]
        return tuple(
            child
            for child in children[start : names.index(last) + 1]
            if child.is_group == wanted.is_group and child.structure == wanted.structure
        )

    def _hidden(self, options: ViewOptions) -> folds.NodeMask:
        hidden = folds.hidden_nodes(self.kinds, options.unfolded, len(self.graph.nodes))
        if options.isolated:
            outside = np.ones(len(self.graph.nodes), bool)
            for id in options.isolated:
                outside[self.nodes_of(self.items_of(id))] = False
            hidden = hidden | outside if not outside.all() else hidden
        return hidden

    def _around(self, ids: frozenset[str]) -> frozenset[int]:
        """The groups around nodes and groups."""
        found: set[int] = set()
        for item in (item for id in ids for item in self.items_of(id)):
            group = self.graph.groups.parents[item.index] if item.is_group else self.graph.nodes.groups[item.index]
            while group > ROOT and int(group) not in found:
                found.add(int(group))
                group = self.graph.groups.parents[group]
        return frozenset(found)

    def _passed_edges(self, hidden: folds.NodeMask, options: ViewOptions) -> tuple[IntColumn, IntColumn, IntColumn]:
        passing = np.zeros(len(self.graph.nodes), bool)
        for rule in folds.RULES:
            if rule.is_passed and rule.name not in options.unfolded and rule.name in self.kinds:
                passing |= self.kinds[rule.name]
        return folds.edges_past(self.graph.edges, hidden, passing)

    def _children(
        self,
        group: int,
        hidden: folds.NodeMask,
        counts: NDArray[np.float64],
        opened: frozenset[str],
        unstacked: frozenset[str],
    ) -> Iterator[Item | Series]:
        children = self._sorted_children(group, hidden, counts)
        if self.graph.groups.ids[group] in unstacked:
            yield from children
            return

        def is_alone(item: Item) -> bool:
            id = self._id(item)
            return id in opened or id in unstacked

        yield from stack_items(children, is_alone)

    def _sorted_children(self, group: int, hidden: folds.NodeMask, counts: NDArray[np.float64]) -> list[Item]:
        first, places = self._first_computing, self.hierarchy.flow_places
        found = [
            (float(first[child]), self._group_item(child))
            for child in self.hierarchy.groups_in(group).tolist()
            if counts[child] > 0
        ]
        nodes = [node for node in self.hierarchy.nodes_in(group).tolist() if not hidden[node]]
        found += [(float(places[node]), self._node_item(node)) for node in nodes]
        found.sort(key=lambda entry: entry[0])
        return [item for _, item in found]

    @cached_property
    def _first_computing(self) -> NDArray[np.float64]:
        """By group: the place of its first node that computes something. Sources list weights and constants first."""
        noise = np.zeros(len(self.graph.nodes), bool)
        for mask in self.kinds.values():
            noise |= mask
        computing = self.hierarchy.least_of(~noise, self.hierarchy.flow_places)
        return np.minimum(computing, len(self.graph.nodes) + self.hierarchy.first_nodes)

    def _id(self, item: Item) -> str:
        return self.graph.groups.ids[item.index] if item.is_group else self.graph.nodes.ids[item.index]

    def _group_item(self, group: int) -> Item:
        return Item(group, True, self.graph.groups.labels[group], int(self.hierarchy.group_structures[group]))

    def _node_item(self, node: int) -> Item:
        return Item(node, False, self.graph.nodes.labels[node], int(self.hierarchy.node_structures[node]))

    def _add(
        self,
        boxes: Boxes,
        child: Item | Series,
        group: int,
        parent: int,
        counts: NDArray[np.float64],
        opened: frozenset[str],
        around: frozenset[int],
    ) -> None:
        items = child.items if isinstance(child, Series) else (child,)
        first = items[0]
        id = child.id_in(self.graph.groups.ids[group]) if isinstance(child, Series) else self._id(first)
        count = int(sum(counts[item.index] for item in items)) if first.is_group else len(items)
        # A module of one operation, such as a Linear without its weights, is drawn as that operation.
        # The groups around what is isolated stay groups, or it would have their name.
        is_op = len(items) == 1 and count == 1 and not (first.is_group and first.index in around)
        boxes.ids.append(id)
        boxes.labels.append(child.label)
        boxes.types.append("series" if len(items) > 1 else "op" if is_op else "group")
        boxes.ops.append(self._op(first))
        boxes.parents.append(parent)
        boxes.is_open.append(first.is_group and not is_op and len(items) == 1 and id in opened)
        boxes.counts.append(count)
        boxes.repeats.append(len(items))
        boxes.structures.append(int(self.shared_structures[first.index]) if first.is_group and not is_op else 0)
        boxes.items.append(tuple(items))

    def _op(self, item: Item) -> str:
        return self.graph.groups.types[item.index] if item.is_group else self.graph.op(item.index)

    def _box_of_node(self, boxes: Boxes, hidden: folds.NodeMask) -> IntColumn:
        found = np.full(len(self.graph.nodes), -1, np.int32)
        for box, items in enumerate(boxes.items):
            if not boxes.is_open[box]:
                for item in items:
                    found[self.hierarchy.nodes_below(item.index) if item.is_group else item.index] = box
        found[hidden] = -1
        return found

    def _left_out(self, group: int, counts: NDArray[np.float64], *, is_first: bool) -> str:
        name = "the graph" if group == ROOT else f"'{self.graph.groups.ids[group]}'"
        others = "search for others to see them" if is_first else "among them what was looked for and what is around it"
        which = "the first " if is_first else ""
        return f"{name} has {int(counts[group]):,} nodes; {which}{MAX_LEVEL_BOXES:,} boxes are drawn; {others}"


def _chosen_places(wanted: Sequence[int], count: int) -> NDArray[np.intp]:
    """MAX_LEVEL_BOXES places of `count`: those around the wanted ones, then the first ones, all in order."""
    around = min(MAX_AROUND_WANTED, MAX_LEVEL_BOXES // (2 * len(wanted) or 1) // 2)
    is_chosen = np.zeros(count, bool)
    for at in wanted[: MAX_LEVEL_BOXES // 2]:
        is_chosen[max(0, at - around) : at + around + 1] = True
    others = np.flatnonzero(~is_chosen)
    is_chosen[others[: MAX_LEVEL_BOXES - np.count_nonzero(is_chosen)]] = True
    return np.flatnonzero(is_chosen)


# Boxes with more edges than this that only give or only take are drawn at the side.
ASIDE_EDGES = 15
# Others have to be very busy.
BUSY_EDGES = 60


def _aside(edges: BoxEdges, count: int) -> NDArray[np.bool_]:
    given = np.bincount(edges.sources, minlength=count)
    taken = np.bincount(edges.targets, minlength=count)
    one_sided = (given == 0) | (taken == 0)
    found: NDArray[np.bool_] = (one_sided & (given + taken >= ASIDE_EDGES)) | (given + taken >= BUSY_EDGES)
    return found
