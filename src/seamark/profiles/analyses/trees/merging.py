"""Merging: slices with the same names from the outermost down become one node of a tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import find_activities
from seamark.profiles.analyses.device.work import find_device_work
from seamark.profiles.analyses.slices.ancestors import Mask, ancestor_count, sum_by
from seamark.profiles.form import NO_SLICE, SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import StackNode, StackTree
from seamark.profiles.window import find_slices

MAX_NODES = 20_000
# Before the largest ones are chosen.
MAX_BUILT_NODES = 1_000_000
NO_NODE = -1


class BackwardTimes(NamedTuple):
    """Of each node, in the backward pass of the calls that it has; None: not known."""

    host: NDArray[np.int64] | None
    device: NDArray[np.int64] | None


NO_BACKWARD = BackwardTimes(None, None)


class MergedStacks(NamedTuple):
    nodes: dict[str, NDArray[Any]]  # columns parent, name, calls, total, self, longest; parents first
    node_of_slice: NDArray[np.int32]  # of each slice of the trace
    is_cut: bool

    @property
    def size(self) -> int:
        return len(self.nodes["parent"])


def merge_slices(profile: Profile, slices: SliceIndices, *, start_ns: int, end_ns: int) -> MergedStacks:
    """Slices in ascending order, clipped to a window. What is inside slices that are not given moves up."""
    return MergedStacks(*profile.get(find_slices).stacks(slices, start_ns, end_ns, MAX_BUILT_NODES))


def merged_tree(profile: Profile, is_shown: Mask, *, max_nodes: int = MAX_NODES) -> StackTree:
    """Host time of the slices, and the device time of what is launched inside them."""
    start, end = profile.trace.span
    merged = merge_slices(profile, np.flatnonzero(is_shown), start_ns=start, end_ns=end)
    return tree_of(profile, merged, device_time(profile, merged), max_nodes=max_nodes)


def tree_of(
    profile: Profile,
    merged: MergedStacks,
    device: NDArray[np.int64] | None,
    *,
    max_nodes: int,
    backward: BackwardTimes = NO_BACKWARD,
) -> StackTree:
    """The largest nodes in preorder, siblings by time on the device and then by total."""
    names, activities, nodes = profile.trace.names, profile.get(find_activities), merged.nodes
    total = nodes["total"]
    # A node has at least the time of each node below it and comes before them: no node is kept without its parent.
    largest = np.argsort(-(total if device is None else total + device), kind="stable")[:max_nodes]
    by_size = np.lexsort((-total[largest], *(() if device is None else (-device[largest],))))
    order, parents = preorder(nodes["parent"], largest[by_size])
    columns = {name: column[order].tolist() for name, column in nodes.items()}
    return StackTree(
        nodes=[
            StackNode(
                name=names[columns["name"][at]].text,
                parent=parents[at],
                calls=columns["calls"][at],
                total_ns=columns["total"][at],
                # Slices that overlap without nesting can exceed the one around them.
                self_ns=max(0, columns["self"][at]),
                device_ns=None if device is None else int(device[order[at]]),
                activity=int(activities[columns["name"][at]]),
                longest=columns["longest"][at],
                backward_ns=None if backward.host is None else int(backward.host[order[at]]),
                backward_device_ns=None if backward.device is None else int(backward.device[order[at]]),
            )
            for at in range(len(order))
        ],
        is_cut=merged.is_cut or len(order) < merged.size,
    )


def device_time(profile: Profile, merged: MergedStacks) -> NDArray[np.int64] | None:
    """Of each node, with the nodes below it; None if nothing ran on a device."""
    work = profile.get(find_device_work)
    if not len(work.slices):
        return None
    source = np.where(work.launch == NO_SLICE, work.operator, work.launch)
    return time_of_nodes(profile, merged, source, profile.trace.duration[work.slices])


def time_of_nodes(
    profile: Profile, merged: MergedStacks, slices: SliceIndices, times: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The times, each at the node of its slice and at all nodes above that one."""
    node = nearest_nodes(profile, merged, slices)
    linked = node != NO_NODE
    time = sum_by(node[linked], times[linked], merged.size)
    parent = merged.nodes["parent"]
    level = ancestor_count(parent)
    for depth in range(int(level.max(initial=0)), 0, -1):
        inside = np.flatnonzero(level == depth)
        np.add.at(time, parent[inside], time[inside])
    return time


def nearest_nodes(profile: Profile, merged: MergedStacks, slices: SliceIndices) -> NDArray[np.int64]:
    """The node of each slice, or else of the innermost slice around it that has one; NO_NODE for NO_SLICE."""
    at = slices.astype(np.int64)
    while True:
        without = np.flatnonzero((at != NO_SLICE) & (merged.node_of_slice[at] == NO_NODE))
        if not len(without):
            return np.where(at == NO_SLICE, NO_NODE, merged.node_of_slice[at])
        at[without] = profile.trace.parent[at[without]]


def preorder(parent: NDArray[Any], by_size: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Each node before its children, siblings in the given order; and the position of each one's parent."""
    children: dict[int, list[int]] = {}
    for node in by_size.tolist():
        children.setdefault(int(parent[node]), []).append(node)
    order, parents = list[int](), list[int]()
    waiting = [(node, NO_NODE) for node in reversed(children.get(NO_NODE, []))]
    while waiting:
        node, above = waiting.pop()
        position = len(order)
        order.append(node)
        parents.append(above)
        waiting.extend((child, position) for child in reversed(children.get(node, [])))
    return order, parents
