"""Backward: which call of the forward pass each call of autograd belongs to.

Torch links them by arrows (`fwdbwd`), and numbers them: the calls of the backward pass have the sequence number of the
call that made their node, and the thread that it ran on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.slices.ancestors import Mask, nearest_ancestor
from seamark.profiles.analyses.slices.columns import tracks_of
from seamark.profiles.form import NO_SLICE, SliceIndices, Trace
from seamark.profiles.profile import Profile

SEQUENCE, FORWARD_THREAD = "Sequence number", "Fwd thread id"


class BackwardCalls(NamedTuple):
    """Outermost calls of the backward pass, ascending."""

    slices: SliceIndices
    forward: SliceIndices  # the call of the forward pass; NO_SLICE: not known
    around: NDArray[np.int64]  # of each slice of the trace: the position of its backward call, or -1


def find_backward(profile: Profile) -> BackwardCalls:
    trace = profile.trace
    thread = trace.field(FORWARD_THREAD)
    is_backward = np.zeros(trace.slices, bool)
    is_backward[thread.indices[thread.values > 0]] = True
    above = nearest_ancestor(trace.parent, is_backward)
    slices = np.flatnonzero(is_backward & (above == NO_SLICE))
    is_outer = np.zeros(trace.slices, bool)
    is_outer[slices] = True
    outer = nearest_ancestor(trace.parent, is_outer)
    position = np.where(outer == NO_SLICE, -1, np.searchsorted(slices, outer))
    position[slices] = np.arange(len(slices))
    by_arrow = _by_arrows(trace, slices, position)
    forward = np.where(by_arrow == NO_SLICE, _by_sequence(trace, slices, is_backward), by_arrow)
    return BackwardCalls(slices, forward, position)


def _by_arrows(trace: Trace, slices: SliceIndices, position: NDArray[np.int64]) -> SliceIndices:
    """The source of an arrow from outside the backward pass; NO_SLICE without one."""
    found = np.full(len(slices), NO_SLICE, np.int64)
    is_device = np.array([track.is_device for track in trace.tracks], bool)
    to, source = position[trace.flow_to], trace.flow_from
    wanted = (to >= 0) & (position[source] < 0)
    wanted[wanted] = ~is_device[tracks_of(trace, source[wanted])]
    found[to[wanted]] = source[wanted]
    return found


def _by_sequence(trace: Trace, slices: SliceIndices, is_backward: Mask) -> SliceIndices:
    """The last call before it with the same number: calls that make no node have the number of the next one."""
    indices, values = trace.field(SEQUENCE)
    result = np.full(len(slices), NO_SLICE, np.int64)
    is_forward = ~is_backward[indices] & (values >= 0)
    offered, numbers = indices[is_forward], values[is_forward].astype(np.int64)
    if not len(offered) or not len(slices):
        return result
    at = np.minimum(np.searchsorted(indices, slices), len(indices) - 1)
    wanted = np.where(indices[at] == slices, values[at].astype(np.int64), -1)
    order = np.lexsort((trace.start[offered], numbers))
    offered, numbers = offered[order], numbers[order]
    # One ascending key of number and start; ranks, because the product of the two themselves could overflow.
    number_ranks = np.unique(np.concatenate((numbers, wanted)), return_inverse=True)[1]
    start_ranks = np.unique(np.concatenate((trace.start[offered], trace.start[slices])), return_inverse=True)[1]
    keys = number_ranks * (int(start_ranks.max()) + 1) + start_ranks
    last = np.searchsorted(keys[: len(offered)], keys[len(offered) :], "right") - 1
    is_same = (last >= 0) & (numbers[np.maximum(last, 0)] == wanted)
    result[is_same] = offered[last[is_same]]
    return result
