"""Graph: the one form of every source. Nodes, edges and groups are columns; a hundred thousand nodes fit in 60 MB.

A group is a namespace: the module, layer, scope or function that holds nodes. Its id is its path with a slash at the
end ("gpt/h/5/"), which no node's id has. Group 0 is the root, whose id is "/". Groups are in preorder, so the groups
below group g are g + 1 to ends[g] - 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.attributes import AttributeTable

IntColumn = NDArray[np.int32]
CountColumn = NDArray[np.int64]
ROOT = 0
ROOT_ID = "/"
# The size of a dimension that the source does not state.
UNKNOWN_SIZE = -1
Shape = tuple[int, ...]


class GraphError(ValueError):
    """A graph that cannot be read. The message is a sentence for people."""


class TensorType(NamedTuple):
    """What is known of a tensor; None: nothing."""

    dtype: str = ""  # as NumPy names it ("float32", "bfloat16"); "" if it is not known
    shape: Shape | None = None  # UNKNOWN_SIZE for a dimension of any size; None if even the rank is not known


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    ids: list[str]
    labels: list[str]
    ops: IntColumn  # an index into op_names
    op_names: list[str]
    groups: IntColumn  # the group that holds the node
    devices: IntColumn  # an index into device_names; entry 0 is "", for no device
    device_names: list[str]
    # Elements of the weights that the node is (a variable, an initializer) or owns (a Keras layer).
    parameters: CountColumn
    trainable_parameters: CountColumn
    # It holds weights of which the source does not say how large they are; the column has 0 or a part of them.
    has_unknown_parameters: NDArray[np.bool_]
    # The outputs of node n are output_starts[n] to output_starts[n + 1] - 1.
    output_starts: IntColumn
    output_dtypes: IntColumn  # an index into Graph.dtypes
    output_shapes: IntColumn  # an index into Graph.shapes
    attributes: AttributeTable
    sources: Mapping[int, str]  # node → source line, such as "model.py:71"

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """From an output of one node to an input of another. Sorted by target, then by input."""

    sources: IntColumn
    targets: IntColumn
    source_outputs: IntColumn
    is_control: NDArray[np.bool_]  # the target runs after the source, but takes no tensor

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    ids: list[str]  # "gpt/h/5/"
    labels: list[str]  # "5"
    types: list[str]  # the class of the module, such as "Block"; "" if it is not known
    layers: list[str]  # the name under which weights are logged, such as "h.5"; "" if it is not known
    parents: IntColumn  # -1 for the root
    ends: IntColumn  # preorder: one past the last group below

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    title: str
    format: str  # "graph_def", "keras", "onnx", "torch_export" or "model_explorer"
    nodes: Nodes
    edges: Edges
    groups: Groups
    dtypes: list[str]
    shapes: list[Shape | None]
    problems: tuple[str, ...] = ()  # sentences about what is wrong or left out
    facts: Mapping[str, Any] = field(default_factory=dict)  # about the whole graph: producer, opset, version …

    def outputs(self, node: int) -> list[TensorType]:
        nodes = self.nodes
        found = range(int(nodes.output_starts[node]), int(nodes.output_starts[node + 1]))
        return [TensorType(self.dtypes[nodes.output_dtypes[at]], self.shapes[nodes.output_shapes[at]]) for at in found]

    def output(self, node: int, index: int) -> TensorType:
        at = int(self.nodes.output_starts[node]) + index
        if index < 0 or at >= self.nodes.output_starts[node + 1]:
            return TensorType()
        return TensorType(self.dtypes[self.nodes.output_dtypes[at]], self.shapes[self.nodes.output_shapes[at]])

    def op(self, node: int) -> str:
        name: str = self.nodes.op_names[self.nodes.ops[node]]
        return name
