"""Search for nodes and groups by name, op, attribute and shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.format.patterns import which_match
from seamark.graphs.form import Graph
from seamark.graphs.texts import shape_text

FIELDS = ("name", "op", "shape", "dtype", "attr", "source")


@dataclass(frozen=True, slots=True)
class Matches:
    groups: list[int]
    nodes: list[int]


def search(graph: Graph, text: str) -> Matches:
    r"""All words have to match. `op:conv`, `shape:768`, `dtype:bf16`, `attr:stride=2` and `source:model.py` search one
    field, a word alone the names and ops. Upper and lower case are equal. `×`, `x` and `,` separate sizes.
    `/conv\d$/` is a regular expression for names and ops. Raises BadPatternError."""
    words = text.split()
    if not words:
        return Matches([], [])
    if is_pattern(text):
        return _search_pattern(graph, text.strip()[1:-1])
    nodes = np.ones(len(graph.nodes), bool)
    groups = np.ones(len(graph.groups), bool)
    groups[0] = False
    for word in words:
        field, colon, value = word.partition(":")
        is_field = colon and field in FIELDS
        matcher = _MATCHERS[field] if is_field else _matches_any
        nodes &= matcher(graph, (value if is_field else word).casefold(), nodes)
        groups &= _group_matches(graph, field if is_field else "name", (value if is_field else word).casefold())
    return Matches(np.flatnonzero(groups).tolist(), np.flatnonzero(nodes).tolist())


def is_pattern(text: str) -> bool:
    text = text.strip()
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _search_pattern(graph: Graph, pattern: str) -> Matches:
    def matches(texts: Iterable[str]) -> NDArray[np.bool_]:
        return np.array(which_match(pattern, texts, anywhere=True, ignore_case=True), bool)

    groups, nodes = graph.groups, graph.nodes
    of_groups = matches(groups.labels) | matches(groups.layers)
    # No name is no text, though a pattern may match it.
    typed = np.array([type != "" for type in groups.types], bool)
    of_groups |= matches(groups.types) & typed
    of_groups[0] = False
    by_op = matches(nodes.op_names) if nodes.op_names else np.zeros(1, bool)
    of_nodes = matches(nodes.ids) | matches(nodes.labels) | by_op[nodes.ops]
    return Matches(np.flatnonzero(of_groups).tolist(), np.flatnonzero(of_nodes).tolist())


def _group_matches(graph: Graph, field: str, value: str) -> NDArray[np.bool_]:
    texts: Iterator[str]
    if field == "name":
        # The last part only: everything below would match, too.
        labels = zip(graph.groups.labels, graph.groups.types, graph.groups.layers, strict=True)
        texts = (f"{label}\n{type}\n{layer}" for label, type, layer in labels)
    elif field == "op":
        texts = iter(graph.groups.types)
    else:
        return np.zeros(len(graph.groups), bool)
    return np.fromiter((value in text.casefold() for text in texts), bool, len(graph.groups))


def _matches_name(graph: Graph, value: str, _: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.fromiter((value in id.casefold() for id in graph.nodes.ids), bool, len(graph.nodes))


def _matches_op(graph: Graph, value: str, _: NDArray[np.bool_]) -> NDArray[np.bool_]:
    by_op = np.array([value in name.casefold() for name in graph.nodes.op_names], bool)
    found: NDArray[np.bool_] = by_op[graph.nodes.ops]
    return found


def _matches_any(graph: Graph, value: str, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return _matches_name(graph, value, among) | _matches_op(graph, value, among)


def _matches_shape(graph: Graph, value: str, _: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`768` is one of the sizes; `8×768` is a part of the shape."""
    wanted = "×" + re.sub(r"[x,*]", "×", value).strip("×[]()") + "×"
    by_shape = np.array([shape is not None and wanted in f"×{shape_text(shape)}×" for shape in graph.shapes], bool)
    return _any_output(graph, by_shape[graph.nodes.output_shapes])


def _matches_dtype(graph: Graph, value: str, _: NDArray[np.bool_]) -> NDArray[np.bool_]:
    short = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "fp64": "float64"}
    by_dtype = np.array([short.get(value, value) == name.casefold() for name in graph.dtypes], bool)
    return _any_output(graph, by_dtype[graph.nodes.output_dtypes])


def _any_output(graph: Graph, matching: NDArray[np.bool_]) -> NDArray[np.bool_]:
    node = np.repeat(np.arange(len(graph.nodes)), np.diff(graph.nodes.output_starts))
    found = np.zeros(len(graph.nodes), bool)
    found[node[matching]] = True
    return found


def _matches_attribute(graph: Graph, value: str, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`stride` is a part of a name or of a value, `stride=2` a name and the start of its value."""
    name, equals, wanted = value.partition("=")
    found = np.zeros(len(graph.nodes), bool)
    for node in np.flatnonzero(among).tolist():
        for key, content in graph.nodes.attributes.of(node).items():
            text = str(content).casefold()
            is_match = (
                key.casefold() == name and text.startswith(wanted) if equals else name in f"{key.casefold()}\n{text}"
            )
            if is_match:
                found[node] = True
                break
    return found


def _matches_source(graph: Graph, value: str, _: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = np.zeros(len(graph.nodes), bool)
    found[[node for node, line in graph.nodes.sources.items() if value in line.casefold()]] = True
    return found


_MATCHERS: dict[str, Callable[[Graph, str, NDArray[np.bool_]], NDArray[np.bool_]]] = {
    "name": _matches_name,
    "op": _matches_op,
    "shape": _matches_shape,
    "dtype": _matches_dtype,
    "attr": _matches_attribute,
    "source": _matches_source,
}
