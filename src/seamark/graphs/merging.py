"""Merges the graphs of several functions into one."""

from __future__ import annotations

from collections.abc import Sequence

from seamark.format.messages import GraphDef
from seamark.graphs.form import GraphError

# The graph of a function that only makes a constant, which TensorFlow runs beside the others.
CONSTANT_OPS = frozenset({"_Arg", "_EagerConst", "_Retval"})


def merge_graphs(graphs: Sequence[GraphDef]) -> GraphDef:
    """One graph of several, as TensorBoard makes it. Each gets a scope of its own, since names may repeat among them.

    Raises GraphError if their versions differ.
    """
    if len(graphs) == 1:
        return graphs[0]
    merged = GraphDef()
    for number, graph in enumerate(graphs, start=1):
        if number == 1 and graph.versions.producer:
            merged.versions.CopyFrom(graph.versions)
        elif graph.versions.producer != merged.versions.producer:
            raise GraphError("the functions' graphs have different versions and cannot be shown as one")
        add_scoped(graph, f"graph_{number}", merged)
    return merged


def join_graphs(graphs: Sequence[GraphDef]) -> GraphDef:
    """One graph of several. Each gets a scope of its own; functions keep their names, so that calls find them."""
    shown = [graph for graph in graphs if any(node.op not in CONSTANT_OPS for node in graph.node)] or graphs
    if len(shown) == 1:
        return shown[0]
    joined = GraphDef()
    functions = {function.signature.name: function for graph in shown for function in graph.library.function}
    for number, graph in enumerate(shown, start=1):
        joined.versions.MergeFrom(graph.versions)
        add_scoped_nodes(graph, f"graph_{number}", joined)
    joined.library.function.extend(functions.values())
    return joined


def add_scoped_nodes(graph: GraphDef, scope: str, merged: GraphDef) -> None:
    for node in graph.node:
        added = merged.node.add()
        added.CopyFrom(node)
        added.name = f"{scope}/{node.name}"
        added.input[:] = [scoped_input(scope, name) for name in node.input]


def add_scoped(graph: GraphDef, scope: str, merged: GraphDef) -> None:
    first = len(merged.node)
    add_scoped_nodes(graph, scope, merged)
    for node in merged.node[first:]:
        if node.op == "PartitionedCall":
            # Functions are drawn apart from the nodes: an underscore keeps them out of the scope's box.
            function_name = node.attr["f"].func
            function_name.name = f"{scope}_{function_name.name}"
    for function in graph.library.function:
        copy = merged.library.function.add()
        copy.CopyFrom(function)
        copy.signature.name = f"{scope}_{function.signature.name}"
    for gradient in graph.library.gradient:
        merged.library.gradient.add(
            function_name=f"{scope}_{gradient.function_name}", gradient_func=f"{scope}_{gradient.gradient_func}"
        )


def scoped_input(scope: str, name: str) -> str:
    """A caret marks an input that carries no data; it stays in front."""
    return f"^{scope}/{name[1:]}" if name.startswith("^") else f"{scope}/{name}"
