"""Modules: a tree by nn.Module or by the scopes in the names of operators."""

from __future__ import annotations

import msgspec
import numpy as np

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.device.work import find_device_work
from seamark.profiles.analyses.slices.ancestors import Mask
from seamark.profiles.analyses.trees.backward import find_backward
from seamark.profiles.analyses.trees.merging import (
    MAX_NODES,
    NO_BACKWARD,
    BackwardTimes,
    MergedStacks,
    device_time,
    merge_slices,
    time_of_nodes,
    tree_of,
)
from seamark.profiles.analyses.trees.scopes import scope_tree
from seamark.profiles.form import NO_SLICE
from seamark.profiles.profile import Profile
from seamark.profiles.results import Modules, StackTree

PREFIX = "nn.Module: "
NO_BACKWARD_NOTE = "Modules cover the forward pass: the trace has no backward pass, or does not link it to them."
NO_MODULES = "This trace does not say which module an operator belongs to. In PyTorch, record with_stack=True."


def find_modules(profile: Profile) -> Modules:
    trace, activities = profile.trace, profile.get(find_activities)
    is_module = (activities == Activity.MODULE)[trace.name] if trace.names else np.empty(0, bool)
    if is_module.any():
        return module_tree(profile, is_module)
    tree = scope_tree(profile)
    if tree.nodes:
        return Modules(tree=tree, source="name scope", notes=[])
    return Modules(tree=tree, source="", notes=[NO_MODULES])


def module_tree(profile: Profile, is_module: Mask) -> Modules:
    start, end = profile.trace.span
    merged = merge_slices(profile, np.flatnonzero(is_module), start_ns=start, end_ns=end)
    backward = backward_times(profile, merged)
    tree = tree_of(profile, merged, device_time(profile, merged), max_nodes=MAX_NODES, backward=backward)
    notes = [NO_BACKWARD_NOTE] if backward.host is None else []
    return Modules(tree=without_prefix(tree), source="nn.Module", notes=notes)


def backward_times(profile: Profile, merged: MergedStacks) -> BackwardTimes:
    """Of the calls of autograd whose call in the forward pass is in a module."""
    backward = find_backward(profile)
    if not (backward.forward != NO_SLICE).any():
        return NO_BACKWARD
    host = time_of_nodes(profile, merged, backward.forward, profile.trace.duration[backward.slices])
    work = profile.get(find_device_work)
    if not len(work.slices):
        return BackwardTimes(host, None)
    source = np.where(work.launch == NO_SLICE, work.operator, work.launch)
    call = np.where(source == NO_SLICE, -1, backward.around[source])
    inside = call >= 0
    forward = backward.forward[call[inside]]
    return BackwardTimes(host, time_of_nodes(profile, merged, forward, profile.trace.duration[work.slices[inside]]))


def without_prefix(tree: StackTree) -> StackTree:
    nodes = [msgspec.structs.replace(node, name=node.name.removeprefix(PREFIX)) for node in tree.nodes]
    return StackTree(nodes=nodes, is_cut=tree.is_cut)
