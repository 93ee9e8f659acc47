"""Routes of graphs: the graph of a run, a tag or a Keras model, and the cost of a profiled step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from msgspec import Meta
from starlette.responses import Response

from seamark.format.message_text import message_text
from seamark.format.messages import GraphDef
from seamark.graphs.form import GraphError
from seamark.graphs.merging import merge_graphs
from seamark.kinds import graph as graph_kind
from seamark.kinds import run_metadata as profile_kind
from seamark.kinds.keras_model import PLUGIN_NAME as KERAS
from seamark.plugin import Endpoint, ParsedRequest, RequestError, not_found
from seamark.serve.http.cache import SingleFlightCache
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.graphs.attributes import drop_large_attributes
from seamark.serve.tensorboard.graphs.keras_graph import graph_of_model
from seamark.serve.tensorboard.metadata import metadata_of
from seamark.serve.tensorboard.request import SeriesParameters, TensorBoardParameters, binary_response
from seamark.store import SeriesInfo

GRAPHS, PROFILE = graph_kind.PLUGIN_NAME, profile_kind.PLUGIN_NAME
PROFILE_GRAPH, TAGGED_PROFILE = profile_kind.GRAPH_PLUGIN_NAME, profile_kind.TAGGED_PLUGIN_NAME
# The offers of a plugin's tags, if their metadata is MARK.
OFFERS = {
    PROFILE_GRAPH: {"op_graph": True},
    PROFILE: {"profile": True, "op_graph": True},
    KERAS: {"conceptual_graph": True},
}
MARK = b"1"
PBTXT = "text/x-protobuf; charset=utf-8"


class GraphParameters(TensorBoardParameters):
    run: str
    tag: str | None = None
    conceptual: str = "false"
    limit_attr_size: Annotated[int, Meta(ge=1)] | None = None
    large_attrs_key: str | None = None


def graph_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    texts = GraphTexts(catalogue)

    def info(_: ParsedRequest[TensorBoardParameters, None]) -> dict[str, object]:
        return info_json(catalogue)

    def graph(request: ParsedRequest[GraphParameters, None]) -> Response:
        parameters = request.parameters
        if parameters.limit_attr_size is not None and parameters.large_attrs_key is None:
            raise RequestError("missing parameter 'large_attrs_key'", code="missing_parameter")
        series, to_graph = requested_graph(catalogue, parameters)
        text = texts.get(
            "graph",
            series,
            to_graph,
            limit_bytes=parameters.limit_attr_size,
            large_attrs_key=parameters.large_attrs_key or "",
        )
        return binary_response(text, PBTXT)

    def run_metadata(request: ParsedRequest[SeriesParameters, None]) -> Response:
        series = find_series(catalogue, request.parameters.run, request.parameters.tag, TAGGED_PROFILE, PROFILE)
        return binary_response(texts.get("profile", series, lambda profile: profile.message), PBTXT)

    return [
        Endpoint(
            path="/plugin/graphs/info",
            summary="The graphs and profiles of each run.",
            handler=info,
        ),
        Endpoint(
            path="/plugin/graphs/graph",
            summary="One graph as protobuf text.",
            handler=graph,
            media_type="text/x-protobuf",
        ),
        Endpoint(
            path="/plugin/graphs/run_metadata",
            summary="The profile of one step as protobuf text.",
            handler=run_metadata,
            media_type="text/x-protobuf",
        ),
    ]


class GraphTexts:
    """Formats the newest payload of a series. Texts are cached: 7 MB take a tenth of a second."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._cache = SingleFlightCache(lambda: catalogue.store.version)

    def get(
        self,
        content: Literal["graph", "profile"],
        series: SeriesInfo,
        to_message: Callable[[Any], Any],
        *,
        limit_bytes: int | None = None,
        large_attrs_key: str = "",
    ) -> bytes:
        listed = self._catalogue.store.payloads(series.run, series.tag, series.kind)
        if not len(listed):
            raise not_found(f"the run '{series.run}' has no data with the tag '{series.tag}' any more")
        index = int(listed.index[-1])
        # Identifies the payload: another one at the same index has another time or length.
        payload = (series.run, series.tag, series.kind, index, float(listed.walls[-1]), int(listed.lengths[-1]))

        def build() -> bytes:
            message = to_message(self._catalogue.content(series, index))
            if limit_bytes is not None:
                drop_large_attributes(message, limit_bytes, large_attrs_key)
            return message_text(message)

        text, _ = self._cache.get((content, payload, limit_bytes, large_attrs_key), build, is_fresh=lambda _: True)
        return text


def info_json(catalogue: Catalogue) -> dict[str, Any]:
    """Which runs have a graph of their own, and what their tags offer."""
    runs: dict[str, dict[str, Any]] = {}

    def run_entry(run: str) -> dict[str, Any]:
        return runs.setdefault(run, {"run": run, "tags": {}, "run_graph": False})

    def offer(run: str, tag: str, offered: dict[str, bool]) -> None:
        nothing = {"tag": tag, "conceptual_graph": False, "op_graph": False, "profile": False}
        run_entry(run)["tags"].setdefault(tag, nothing).update(offered)

    for plugin, offered in OFFERS.items():
        for run, by_tag in catalogue.series(plugin).items():
            for tag, series in by_tag.items():
                if metadata_of(series).plugin_content == MARK:
                    offer(run, tag, offered)
    for run, by_tag in catalogue.series(GRAPHS).items():
        if run_graph_of(by_tag) is not None:
            run_entry(run)["run_graph"] = True
    for run, by_tag in catalogue.series(TAGGED_PROFILE).items():
        for tag in by_tag:
            offer(run, tag, {"profile": True})
    return runs


def run_graph_of(by_tag: dict[str, SeriesInfo]) -> SeriesInfo | None:
    """The graph that a run wrote, as an event of its own or as the summary that TensorBoard makes of it."""
    return by_tag.get("") or by_tag.get(graph_kind.RUN_GRAPH_TAG)


def requested_graph(catalogue: Catalogue, parameters: GraphParameters) -> tuple[SeriesInfo, Callable[[Any], GraphDef]]:
    """The series, and how to make a graph of its content."""
    if parameters.conceptual == "true":
        series = find_series(catalogue, parameters.run, parameters.tag or "", KERAS)
        return series, lambda found: graph_of_model(found.model)
    if parameters.tag is not None:
        return find_series(catalogue, parameters.run, parameters.tag, PROFILE, PROFILE_GRAPH), graph_of_profile
    run_graph = run_graph_of(catalogue.series(GRAPHS).get(parameters.run, {}))
    if run_graph is None:
        raise not_found(f"the run '{parameters.run}' has no graph")
    return run_graph, lambda found: found.message


def graph_of_profile(profile: Any) -> GraphDef:
    graphs = [functions.pre_optimization_graph for functions in profile.message.function_graphs]
    try:
        return merge_graphs(graphs)
    except GraphError as error:
        raise RequestError(str(error)) from error


def find_series(catalogue: Catalogue, run: str, tag: str, *plugins: str) -> SeriesInfo:
    """The series of the first of these plugins that has the tag."""
    for plugin in plugins:
        series = catalogue.series(plugin).get(run, {}).get(tag)
        if series is not None:
            return series
    raise not_found(f"the run '{run}' has no {' or '.join(plugins)} with the tag '{tag}'")
