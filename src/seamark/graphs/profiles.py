"""Overlays from run metadata: how long each node ran in one step, how much memory it took, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from seamark.format.messages import NodeExecStats, RunMetadata
from seamark.graphs.form import Graph, GraphError, IntColumn, Shape
from seamark.graphs.known_outputs import with_outputs
from seamark.graphs.readers.node_attributes import dtype_name, shape_of

FUNCTION_TYPE = "function "
# The scope that a function's graph gets when several are merged.
MERGED_SCOPE = re.compile(r"graph_\d+/")


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Columns by node, with the rules of TensorBoard; NaN where a node did not run."""

    time_us: NDArray[np.float64]  # from the start of its first execution to the end of its last
    memory_bytes: NDArray[np.float64]  # of the execution that allocated most
    devices: IntColumn  # an index into device_names; entry 0 is "", for no device
    device_names: list[str]
    outputs: Mapping[int, tuple[tuple[str, Shape | None], ...]]  # dtype and shape, by slot
    matched: int  # executions of nodes that the graph has
    unmatched: int


def profile_of(graph: Graph, data: bytes) -> Profile:
    """From a serialised RunMetadata."""
    try:
        message = RunMetadata.FromString(data)
    except DecodeError as error:
        raise GraphError(f"this run metadata cannot be read: {error}") from error
    return _ProfileBuilder(graph).build(message)


def with_profile_outputs(graph: Graph, profile: Profile) -> Graph:
    """The graph with the shapes and dtypes of a step where it does not know its own in full."""
    return with_outputs(graph, profile.outputs)


class _ProfileBuilder:
    def __init__(self, graph: Graph) -> None:
        count = len(graph.nodes)
        self._node_of = dict(_names_of(graph))
        self._starts = np.full(count, np.inf)
        self._ends = np.full(count, -np.inf)
        self._memory = np.full(count, np.nan)
        self._devices = np.zeros(count, np.int32)
        self._device_names = {"": 0}
        self._outputs: dict[int, tuple[tuple[str, Shape | None], ...]] = {}
        self._matched = self._unmatched = 0

    def build(self, message: RunMetadata) -> Profile:
        for device in message.step_stats.dev_stats:
            index = self._device_names.setdefault(device.device, len(self._device_names))
            for stats in device.node_stats:
                node = self._find(stats.node_name)
                if node is None:
                    self._unmatched += 1
                else:
                    self._matched += 1
                    self._add(node, stats, index)
        return Profile(
            time_us=np.where(self._ends > self._starts, self._ends - self._starts, np.nan),
            memory_bytes=self._memory,
            devices=self._devices,
            device_names=list(self._device_names),
            outputs=self._outputs,
            matched=self._matched,
            unmatched=self._unmatched,
        )

    def _find(self, name: str) -> int | None:
        """On a GPU's stream a kernel has the name of its node and of its op: "layer/MatMul:MatMul"."""
        found = self._node_of.get(name)
        return self._node_of.get(name.rpartition(":")[0]) if found is None and ":" in name else found

    def _add(self, node: int, stats: NodeExecStats, device: int) -> None:
        allocated = sum(one.total_bytes for one in stats.memory if one.total_bytes > 0)
        self._memory[node] = np.fmax(self._memory[node], allocated)
        self._devices[node] = device
        if stats.all_end_rel_micros > 0:
            start = stats.all_start_micros
            self._starts[node] = min(self._starts[node], start)
            self._ends[node] = max(self._ends[node], start + stats.all_end_rel_micros)
        if stats.output and node not in self._outputs:
            self._outputs[node] = _outputs_of(stats)


def _outputs_of(stats: NodeExecStats) -> tuple[tuple[str, Shape | None], ...]:
    by_slot: dict[int, tuple[str, Shape | None]] = {}
    for output in stats.output:
        tensor = output.tensor_description
        if 0 <= output.slot < len(stats.output):
            by_slot[output.slot] = (dtype_name(tensor.dtype), shape_of(tensor.shape))
    return tuple(by_slot.get(slot, ("", None)) for slot in range(max(by_slot, default=-1) + 1))


def _names_of(graph: Graph) -> Iterator[tuple[str, int]]:
    """The names under which nodes may run; a later one of the same name counts.

    A node of a function runs under the name that it has in the function, without the scope of the call.
    """
    ids = graph.nodes.ids
    order = np.argsort(graph.nodes.groups, kind="stable")
    sorted_groups = graph.nodes.groups[order]
    for group, kind in enumerate(graph.groups.types):
        if not kind.startswith(FUNCTION_TYPE):
            continue
        path = graph.groups.ids[group]
        low, high = np.searchsorted(sorted_groups, [group, graph.groups.ends[group]])
        for node in order[low:high]:
            if ids[node].startswith(path):
                yield ids[node][len(path) :], int(node)
    for node, id in enumerate(ids):
        match = MERGED_SCOPE.match(id)
        if match:
            yield id[match.end() :], node
    for node, id in enumerate(ids):
        yield id, node
