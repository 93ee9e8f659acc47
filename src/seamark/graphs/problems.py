"""Sentences about what is wrong with a graph, for its list of problems."""

from __future__ import annotations

from collections.abc import Sequence

# How many names a sentence lists.
MAX_EXAMPLES = 3


def malformed(nodes: int) -> str:
    return f"{_counted(nodes, 'node is', 'nodes are')} malformed and left out"


def missing_inputs(names: Sequence[str]) -> str:
    start = _counted(len(names), "input names a node that does", "inputs name nodes that do")
    return f"{start} not exist: {_examples(names)}"


def nested_too_deeply(nodes: int) -> str:
    start = _counted(nodes, "node is nested too deeply; its", "nodes are nested too deeply; their")
    return f"{start} innermost groups are joined"


def repeated(names: Sequence[str]) -> str:
    return f"{_counted(len(names), 'node has', 'nodes have')} the name of another node: {_examples(names)}"


def calls_without_body(calls: int, function: str) -> str:
    name = f"of the function '{function[:80]}'"
    return _counted(calls, f"call {name} is", f"calls {name} are") + " shown without its nodes"


def sizes_in_other_files(tensors: int, files: Sequence[str]) -> str:
    start = f"some shapes are not known: {_counted(tensors, 'tensor of sizes is', 'tensors of sizes are')} in "
    return f"{start}{'another file' if len(files) == 1 else 'other files'}, not read: {_examples(files)}"


def unknown_weights(layers: int, classes: Sequence[str]) -> str:
    return f"the parameters of {_counted(layers, 'layer', 'layers')} are not known: {', '.join(classes)}"


def _counted(number: int, one: str, many: str) -> str:
    """`1 node is`, `2,000 nodes are`."""
    return f"{number:,} {one if number == 1 else many}"


def _examples(names: Sequence[str]) -> str:
    listed = ", ".join(f"'{name[:80]}'" for name in names[:MAX_EXAMPLES])
    return f"{listed} …" if len(names) > MAX_EXAMPLES else listed
