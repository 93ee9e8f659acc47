"""Trees of calls and of modules."""

from __future__ import annotations

from seamark.profiles.results.base import Result


class StackNode(Result, frozen=True, kw_only=True):
    """A tree in preorder: the parent of node i is nodes[i].parent."""

    name: str
    parent: int
    calls: int
    total_ns: int
    self_ns: int
    device_ns: int | None
    activity: int
    longest: int = -1
    # Of modules: in the backward pass, with the modules inside it; None: not known.
    backward_ns: int | None = None
    backward_device_ns: int | None = None


class StackTree(Result, frozen=True, kw_only=True):
    nodes: list[StackNode]
    is_cut: bool


class Modules(Result, frozen=True, kw_only=True):
    tree: StackTree
    source: str  # "nn.Module", "name scope"
    notes: list[str]
