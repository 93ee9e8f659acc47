"""Graphs as protobuf text: of the run, of a tag, of a Keras model; and what a profiled step cost."""

from __future__ import annotations

from typing import Any

from google.protobuf import text_format
from google.protobuf.message import Message
from starlette.responses import Response
from starlette.routing import Route

from seamark.format.messages import GraphDef, VersionDef
from seamark.kinds import graph as graph_kind
from seamark.kinds import run_metadata as profile_kind
from seamark.kinds.keras_model import PLUGIN_NAME as KERAS
from seamark.serve.tensorboard.catalogue import Catalogue, content_of
from seamark.serve.tensorboard.keras_graph import graph_of_model
from seamark.serve.tensorboard.question import Question, RefusalError, as_json, as_text, not_found, route
from seamark.store import SeriesInfo

GRAPHS, PROFILE = graph_kind.PLUGIN_NAME, profile_kind.PLUGIN_NAME
PROFILE_GRAPH, TAGGED_PROFILE = profile_kind.GRAPH_PLUGIN_NAME, profile_kind.TAGGED_PLUGIN_NAME
# What a tag of each kind offers; tags of these kinds carry this mark in their metadata.
OFFERS = {
    PROFILE_GRAPH: {"op_graph": True},
    PROFILE: {"profile": True, "op_graph": True},
    KERAS: {"conceptual_graph": True},
}
MARK = b"1"


def graph_routes(catalogue: Catalogue) -> list[Route]:
    def info(_: Question) -> Response:
        return as_json(info_json(catalogue))

    def graph(question: Question) -> Response:
        run, tag = question.text("run"), question.optional("tag")
        found = graph_asked_for(catalogue, run, tag, is_conceptual=question.optional("conceptual") == "true")
        limit = question.optional("limit_attr_size")
        if limit is not None:
            move_large_attributes(found, size_limit(limit), question.text("large_attrs_key"))
        return as_pbtxt(found)

    def run_metadata(question: Question) -> Response:
        run, tag = question.text("run"), question.text("tag")
        return as_pbtxt(newest(catalogue, run, tag, TAGGED_PROFILE, PROFILE).message)

    return [
        route("/plugin/graphs/info", info),
        route("/plugin/graphs/graph", graph),
        route("/plugin/graphs/run_metadata", run_metadata),
    ]


def info_json(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    """Which runs have a graph of their own, and what their tags offer."""
    runs: dict[str, dict[str, Any]] = {}

    def run_entry(run: str) -> dict[str, Any]:
        return runs.setdefault(run, {"run": run, "tags": {}, "run_graph": False})

    def offer(run: str, tag: str, offered: dict[str, bool]) -> None:
        nothing = {"tag": tag, "conceptual_graph": False, "op_graph": False, "profile": False}
        run_entry(run)["tags"].setdefault(tag, nothing).update(offered)

    for kind, offered in OFFERS.items():
        for run, by_tag in catalogue.series(kind).items():
            for tag, series in by_tag.items():
                if content_of(series) == MARK:
                    offer(run, tag, offered)
    for run, by_tag in catalogue.series(GRAPHS).items():
        if run_graph_of(by_tag) is not None:
            run_entry(run)["run_graph"] = True
    for run, by_tag in catalogue.series(TAGGED_PROFILE).items():
        for tag in by_tag:
            offer(run, tag, {"profile": True})
    return runs


def run_graph_of(by_tag: dict[str, SeriesInfo]) -> SeriesInfo | None:
    """The graph a run wrote, as an event of its own or in the form TensorBoard gives it."""
    return by_tag.get("") or by_tag.get(graph_kind.RUN_GRAPH_TAG)


def graph_asked_for(catalogue: Catalogue, run: str, tag: str | None, *, is_conceptual: bool) -> GraphDef:
    if is_conceptual:
        return graph_of_model(newest(catalogue, run, tag or "", KERAS).model)
    if tag is not None:
        profile = newest(catalogue, run, tag, PROFILE, PROFILE_GRAPH)
        return merged([functions.pre_optimization_graph for functions in profile.message.function_graphs])
    series = run_graph_of(catalogue.series(GRAPHS).get(run, {}))
    if series is None:
        raise not_found(f"the run '{run}' has no graph")
    message: GraphDef = newest_of(catalogue, series).message
    return message


def newest(catalogue: Catalogue, run: str, tag: str, *kinds: str) -> Any:
    """The last payload of the first of these kinds that has the tag."""
    for kind in kinds:
        series = catalogue.series(kind).get(run, {}).get(tag)
        if series is not None:
            return newest_of(catalogue, series)
    raise not_found(f"there is nothing of this kind under the tag '{tag}' in the run '{run}'")


def newest_of(catalogue: Catalogue, series: SeriesInfo) -> Any:
    listed = catalogue.store.payloads(series.run, series.tag, series.kind)
    if not len(listed):
        raise not_found(f"there is nothing under the tag '{series.tag}' in the run '{series.run}' any more")
    return catalogue.content(series, int(listed.index[-1]))


def merged(graphs: list[GraphDef]) -> GraphDef:
    """One graph of several. Names may repeat among them, so each gets a scope of its own."""
    if len(graphs) == 1:
        return graphs[0]
    whole = GraphDef()
    for number, graph in enumerate(graphs, start=1):
        if number == 1 and graph.versions.producer:
            whole.versions.CopyFrom(graph.versions)
        elif graph.versions.producer != whole.versions.producer:
            raise RefusalError("the functions' graphs come from different versions and cannot be shown as one")
        add_scoped(graph, f"graph_{number}", whole)
    return whole


def add_scoped(graph: GraphDef, scope: str, whole: GraphDef) -> None:
    for node in graph.node:
        added = whole.node.add()
        added.CopyFrom(node)
        added.name = f"{scope}/{node.name}"
        added.input[:] = [scoped_input(scope, name) for name in node.input]
        if node.op == "PartitionedCall":
            # Functions are drawn apart from the nodes: an underscore keeps them out of the scope's box.
            function_name = added.attr["f"].func
            function_name.name = f"{scope}_{function_name.name}"
    for function in graph.library.function:
        copy = whole.library.function.add()
        copy.CopyFrom(function)
        copy.signature.name = f"{scope}_{function.signature.name}"
    for gradient in graph.library.gradient:
        whole.library.gradient.add(
            function_name=f"{scope}_{gradient.function_name}", gradient_func=f"{scope}_{gradient.gradient_func}"
        )


def scoped_input(scope: str, name: str) -> str:
    """A caret marks an input that carries no data; it stays in front."""
    return f"^{scope}/{name[1:]}" if name.startswith("^") else f"{scope}/{name}"


def size_limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:10]) > 0):
        raise RefusalError(f"the parameter 'limit_attr_size' is a number of bytes, 1 or more, got '{text}'")
    return int(text[:10])


def move_large_attributes(graph: GraphDef, limit: int, key: str) -> None:
    """Leaves out what is larger than the limit, and lists its names under `key`."""
    for node in graph.node:
        for name in [name for name, value in node.attr.items() if value.ByteSize() > limit]:
            del node.attr[name]
            node.attr[key].list.s.append(name.encode())


def as_pbtxt(message: Message) -> Response:
    return as_text(to_text(message), "text/x-protobuf")


def to_text(message: Message) -> str:
    """The text of a message. `str` prints it in C, several times as fast as text_format, but promises no format."""
    is_plain = str(VersionDef(producer=1, bad_consumers=[2])) == "producer: 1\nbad_consumers: 2\n"
    return str(message) if is_plain else text_format.MessageToString(message)
