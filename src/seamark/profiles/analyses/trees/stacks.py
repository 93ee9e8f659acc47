"""Stacks: slices as trees of names: a call tree of operators, a flame graph of an area."""

from __future__ import annotations

import numpy as np

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.device.launches import find_device_slices
from seamark.profiles.analyses.trees.merging import merge_slices, merged_tree, tree_of
from seamark.profiles.form import SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import StackTree

MAX_NODES = 5_000


def find_call_tree(profile: Profile) -> StackTree:
    """All host slices, merged by name from the outermost down. Steps are left out, or each would be a tree.

    So is the slice that torch writes for the time of its profiler, which calls nothing.
    """
    trace = profile.trace
    is_call = [entry.category != "Trace" for entry in trace.names]
    of_name = np.array(is_call, bool) & (profile.get(find_activities) != Activity.STEP)
    is_shown = of_name[trace.name] if trace.names else np.empty(0, bool)
    is_shown[profile.get(find_device_slices)] = False
    return merged_tree(profile, is_shown)


def stack_tree(profile: Profile, slices: SliceIndices, *, start_ns: int, end_ns: int) -> StackTree:
    """Some slices in ascending order, clipped to a window: the MAX_NODES nodes of the largest total."""
    merged = merge_slices(profile, slices, start_ns=start_ns, end_ns=end_ns)
    return tree_of(profile, merged, None, max_nodes=MAX_NODES)
