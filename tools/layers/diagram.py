"""The diagram in ARCHITECTURE.md: the imports between layers that exist in the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.layers import python_imports, web_imports
from tools.layers.rules import PYTHON_LAYERS, WEB_LAYERS

BEGIN, END = "<!-- layers:begin -->", "<!-- layers:end -->"
TITLES = {"_core": "core", "views": "dashboards/*/view", "seamark": "import seamark"}
LayerGraph = dict[str, set[str]]


def diagram(root: Path) -> str:
    """A Mermaid graph. An arrow means "imports"; an arrow that follows from others is left out."""
    eager, lazy = python_layer_graphs(root)
    lines = ["```mermaid", "flowchart LR", "  subgraph Python"]
    lines += [f"    {node(layer)} --> {node(other)}" for layer, other in arrows(eager)]
    lines += [f"    {node(layer)} -.-> {node(other)}" for layer in lazy for other in sorted(lazy[layer])]
    lines += ["  end", "  subgraph Web"]
    lines += [f"    {node(layer, 'web_')} --> {node(other, 'web_')}" for layer, other in arrows(web_layer_graph(root))]
    return "\n".join([*lines, "  end", "```"])


def python_layer_graphs(root: Path) -> tuple[LayerGraph, LayerGraph]:
    """The ordinary imports between layers, and those that happen on first use and are not implied by the former."""
    modules = python_imports.python_modules(root)
    eager: LayerGraph = {layer: set() for layer in PYTHON_LAYERS if layer != "__main__"}
    lazy: LayerGraph = {layer: set() for layer in eager}
    for module in modules.values():
        for each in python_imports.imports_of(module):
            target = (
                each.target
                if each.target.startswith("seamark._core")
                else python_imports.imported_module(each, modules)
            )
            other = python_imports.python_layer(target or module.name)
            if other != module.layer and module.layer in eager and other in eager:
                (lazy if each.is_lazy else eager)[module.layer].add(other)
    return eager, {layer: lazy[layer] - reachable(eager, layer) for layer in lazy}


def web_layer_graph(root: Path) -> LayerGraph:
    files = web_imports.web_files(root)
    graph: LayerGraph = {layer: set() for layer in WEB_LAYERS}
    for path, targets in web_imports.import_graph(files).items():
        layer = web_imports.web_layer(path)
        if layer in graph:
            graph[layer] |= {other for target in targets if (other := web_imports.web_layer(target)) in graph} - {layer}
    return graph


def arrows(graph: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    for layer, others in graph.items():
        implied = {further for other in others for further in reachable(graph, other)}
        yield from ((layer, other) for other in sorted(others - implied))


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for other in graph[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def node(layer: str, prefix: str = "") -> str:
    title = TITLES.get(layer, layer)
    identity = prefix + layer.strip("_")
    return identity if identity == title else f'{identity}["{title}"]'


def with_diagram(document: str, root: Path) -> str:
    """The document with its diagram replaced by the current one."""
    before, _, rest = document.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"ARCHITECTURE.md has no place for the diagram: want {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{diagram(root)}\n{END}{after}"
