"""Show the layers of a model: parameters, output shapes, multiply-adds and bytes, from a file or from runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.cli.arguments import log_directory
from seamark.cli.arguments.parser import LOGDIR_HELP, UsageError, names_runs
from seamark.cli.arguments.patterns import pattern
from seamark.cli.arguments.run_source import source_named
from seamark.cli.output.number_format import counted, size
from seamark.cli.output.text import printable
from seamark.cli.output.text_table import OutputColumn, text_lines
from seamark.graphs.form import Graph, GraphError

if TYPE_CHECKING:
    from seamark.dashboards.graphs.graph_ref import GraphRef
    from seamark.dashboards.graphs.library import GraphLibrary
    from seamark.graphs.layers import LayersTable

# Names of formats for people; the others are shown as they are.
FORMATS = {
    "graph_def": "GraphDef",
    "keras": "Keras",
    "onnx": "ONNX",
    "torch_export": "torch.export",
    "model_explorer": "Model Explorer",
}
ALL = pattern("")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        nargs="?",
        metavar="FILE",
        help="a graph: .pb, .pbtxt, .onnx, .pt2, .keras or .json; a folder is the same as --logdir",
    )
    parser.add_argument("--logdir", metavar="DIR", help=LOGDIR_HELP)
    parser.add_argument("--run", metavar="REGEX", type=pattern, default=ALL, help="only runs whose name matches")
    parser.add_argument("--tag", metavar="REGEX", type=pattern, default=ALL, help="only graphs whose tag matches")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--summary", action="store_true", help="print the layers and their totals (the default)")
    output.add_argument("--json", action="store_true", help="print the whole graph as JSON of Model Explorer")


def run(args: argparse.Namespace) -> int:
    if args.path is not None and args.logdir is None and names_runs(args.path):
        args.path, args.logdir = None, args.path
    if (args.path is None) == (args.logdir is None):
        raise UsageError("name a file, or runs with --logdir DIR; see seamark graph --help")
    try:
        graphs = graphs_in_runs(args) if args.path is None else iter([("", _read(Path(args.path)))])
        return _print(graphs, is_json=args.json)
    except ValueError as error:
        log_directory.refuse("graph", error)
        return 1


def _read(path: Path) -> Graph:
    from seamark.graphs.readers import read_file

    try:
        return read_file(path)
    except OSError as error:
        raise GraphError(f"{error.strerror}: '{path}'") from error


def _print(graphs: Iterator[tuple[str, Graph | GraphError]], *, is_json: bool) -> int:
    """Returns the exit status: 1 if a graph could not be read. The others are printed."""
    found = failed = 0
    for title, graph in graphs:
        found += 1
        if isinstance(graph, GraphError):
            log_directory.refuse("graph", graph)
            failed += 1
        elif is_json:
            if found > 1:
                raise GraphError("there is more than one graph: choose one with --run and --tag")
            from seamark.graphs.readers.model_explorer import to_model_explorer

            sys.stdout.write(to_model_explorer(graph).decode() + "\n")
        else:
            print("\n".join(summary_lines(graph, title)))
    if not found:
        raise GraphError("no graph found")
    return 1 if failed else 0


def graphs_in_runs(args: argparse.Namespace) -> Iterator[tuple[str, Graph | GraphError]]:
    """Of log directories every event file, without an index."""
    from seamark.dashboards.graphs.library import GraphLibrary

    store = source_named(args.logdir).open_store()
    store.start()
    try:
        store.wait_loaded()
        library = GraphLibrary(store)
        refs = [listing.ref for listing in library.listings()[0]]
        for ref in refs:
            if args.run.is_found(ref.run) and args.tag.is_found(ref.graph):
                yield f"{ref.run}, {ref.graph}", _open(library, ref)
    finally:
        store.close()


def _open(library: GraphLibrary, ref: GraphRef) -> Graph | GraphError:
    from seamark.plugin import RequestError

    try:
        return library.open(ref).graph
    except RequestError as error:
        return GraphError(f"{error}: run '{ref.run}', graph '{ref.graph}'")


def summary_lines(graph: Graph, title: str = "") -> Iterator[str]:
    from seamark.graphs.costs import costs_of
    from seamark.graphs.layers import layers_table

    table = layers_table(graph, costs_of(graph))
    format, producer = FORMATS.get(graph.format, graph.format), graph.facts.get("producer")
    parts = [producer if isinstance(producer, str) and producer.startswith(format) else format]
    if isinstance(producer, str) and producer != parts[0]:
        parts.append(producer)
    parts += [counted(len(graph.nodes), "node"), counted(len(graph.edges), "edge")]
    yield printable(f"{title or graph.title}: {', '.join(parts)}")
    yield ""
    if len(table):
        yield from text_lines(list(columns_of(table)), is_terminal=sys.stdout.isatty())
        yield ""
    yield from total_lines(table)
    for problem in graph.problems:
        yield printable(f"problem: {problem}")
    yield ""


def columns_of(table: LayersTable) -> Iterator[OutputColumn]:
    names = ["  " * depth + name for depth, name in zip(table.depths, table.names, strict=True)]
    yield OutputColumn("layer", "text", names)
    if any(table.ops):
        yield OutputColumn("type", "text", table.ops)
    yield OutputColumn("output shape", "text", [shape or None for shape in table.shapes])
    yield OutputColumn("parameters", "number", _partial(map(_whole, table.parameters), table.has_unknown_parameters))
    if table.totals.trainable_parameters < (table.totals.parameters or 0):
        yield OutputColumn("trainable", "number", [f"{count:,.0f}" for count in table.trainable_parameters])
    yield OutputColumn(
        "multiply-adds", "number", _partial(map(_count, table.multiply_adds), table.has_unknown_multiply_adds)
    )
    yield OutputColumn("activations", "number", _partial(map(_size, table.activation_bytes), table.has_unknown_bytes))


def total_lines(table: LayersTable) -> Iterator[str]:
    totals = table.totals
    frozen = (totals.parameters or 0) - totals.trainable_parameters
    more = "at least " if totals.has_unknown_parameters and totals.parameters is not None else ""
    not_trainable = f" ({frozen:,.0f} not trainable)" if frozen else ""
    yield f"parameters     {more}{_whole(totals.parameters) or 'not known'}{not_trainable}"
    # The shapes of a model with an open batch size are those of one example.
    scope = " for one example" if totals.is_per_example else ""
    at_least = "at least " if totals.is_partial and totals.multiply_adds is not None else ""
    yield f"multiply-adds  {at_least}{_count(totals.multiply_adds) or 'not known'}{scope}"
    yield f"activations    {_size(totals.activation_bytes) or 'not known'}{scope}"


def _partial(texts: Iterable[str | None], has_unknown: list[bool]) -> list[str | None]:
    return [f"≥{text}" if is_part and text else text for text, is_part in zip(texts, has_unknown, strict=True)]


def _whole(value: float | None) -> str | None:
    return None if value is None else f"{value:,.0f}"


def _count(value: float | None) -> str | None:
    if value is None:
        return None
    for unit, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if value >= scale:
            return f"{value / scale:,.2f} {unit}"
    return f"{value:,.0f}"


def _size(value: float | None) -> str | None:
    return None if value is None else size(int(value))
