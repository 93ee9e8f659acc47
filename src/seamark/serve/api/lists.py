"""/api/progress, /api/runs, /api/tags, /api/problems and /api/last: lists for the whole page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from seamark.format.numbers import finite_or_none
from seamark.format.types import RunName, Tag
from seamark.plugin import (
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestStruct,
    ResponseStruct,
    etag_json_response,
    etag_response,
    json_bytes,
)
from seamark.plugin.response import JSON
from seamark.serve.api.types import Value
from seamark.serve.http.cache import SingleFlightCache
from seamark.serve.live.list_changes import ListChanges
from seamark.serve.live.live import Live
from seamark.serve.state.state import State
from seamark.store import LogRoot, Problem, RunInfo, RunStore, Severity, is_missing_folder

if TYPE_CHECKING:
    from seamark.compare import MergedRuns


class Root(ResponseStruct):
    name: str
    path: str
    exists: bool


class ProgressResponse(ResponseStruct):
    loading: bool
    files_total: int
    files_done: int
    bytes_total: int
    bytes_done: int
    roots: list[Root]
    cursor: str


class Run(ResponseStruct):
    name: str
    path: str
    first_wall: float | None
    last_wall: float | None
    files: int
    bytes: int
    series: int
    points: int
    payloads: int
    position: int
    merged_into: Annotated[str, Meta(description="The run whose row it is part of.")] | UnsetType = UNSET
    curve: Annotated[str, Meta(description="Of add_scalars: the key of its curve.")] | UnsetType = UNSET


class RunsResponse(ResponseStruct):
    runs: list[Run]


class TagsParameters(RequestStruct):
    kind: Annotated[str | None, Meta(description="Only this kind.")] = None


class TagRuns(ResponseStruct):
    tag: str
    runs: list[int]


class TagsResponse(ResponseStruct):
    runs: list[str]
    kinds: dict[str, list[TagRuns]]


class ListedProblem(ResponseStruct):
    severity: Literal["error", "warning"]
    message: str
    path: str
    run: str | None
    offset: int | None


class ProblemsResponse(ResponseStruct):
    problems: list[ListedProblem]


class LastParameters(RequestStruct):
    tag: Annotated[tuple[Tag, ...], Meta(description="The tag; repeat it for several.")]
    run: Annotated[tuple[RunName, ...] | None, Meta(description="Only these runs; repeat it for several.")] = None


class LastValues(ResponseStruct):
    tag: str
    runs: list[str]
    steps: list[int]
    walls: list[Value]
    values: list[Value]


class LastResponse(ResponseStruct):
    tags: list[LastValues]


def list_endpoints(
    store: RunStore, roots: Sequence[LogRoot], state: State, live: Live, merged: MergedRuns
) -> list[Endpoint]:
    # Pages request the lists when they open and when changes were lost; the response is made once for all of them.
    cache = SingleFlightCache(lambda: (live.announced.list_version, store.version))

    def cached(request: Request, key: str, make: Callable[[], object]) -> Response:
        body, _ = cache.get(
            key,
            lambda: json_bytes(make()),
            is_fresh=lambda versions: live.announced.covers_all(versions[0], store.version),
        )
        return etag_response(request, body, media_type=JSON)

    def progress(_: ParsedRequest[NoParameters, None]) -> ProgressResponse:
        watched = [Root(name=root.name, path=root.shown, exists=not is_missing_folder(root.path)) for root in roots]
        return ProgressResponse(**asdict(store.progress()), roots=watched, cursor=live.cursor)

    def runs(request: ParsedRequest[NoParameters, None]) -> Annotated[Response, RunsResponse]:
        return cached(request.http, "runs", lambda: RunsResponse(runs=run_entries(store.runs(), state, merged)))

    def tags(request: ParsedRequest[TagsParameters, None]) -> Annotated[Response, TagsResponse]:
        kind = request.parameters.kind
        if kind is not None:  # the page never requests one kind: nothing to share
            return etag_json_response(request.http, tag_list(store, kind))
        return cached(request.http, "tags", lambda: tag_list(store, None))

    def problems(_: ParsedRequest[NoParameters, None]) -> Annotated[dict[str, object], ProblemsResponse]:
        return {"problems": problem_entries(store, state)}

    def last(request: ParsedRequest[LastParameters, None]) -> LastResponse:
        runs = None if request.parameters.run is None else list(request.parameters.run)
        return LastResponse(tags=[last_values(store, tag, runs) for tag in dict.fromkeys(request.parameters.tag)])

    return [
        Endpoint(
            path="/progress",
            summary="How much of the log directories has been read.",
            handler=progress,
        ),
        Endpoint(path="/runs", summary="Every run, in the order they began.", handler=runs),
        Endpoint(
            path="/tags",
            summary="The tags of every kind, with their runs.",
            handler=tags,
        ),
        Endpoint(
            path="/problems",
            summary="Problems with files, in sentences.",
            handler=problems,
            has_etag=True,
        ),
        Endpoint(
            path="/last",
            summary="The newest point of each run.",
            handler=last,
            has_etag=True,
        ),
    ]


def list_changes(store: RunStore, state: State, merged: MergedRuns) -> ListChanges:
    """The same entries, for live changes."""
    return ListChanges(
        store,
        runs=lambda runs: run_entries(runs, state, merged),
        problems=lambda: problem_entries(store, state),
        merged=merged,
    )


def problem_entries(store: RunStore, state: State) -> list[dict[str, object]]:
    found = store.problems()
    if state.problem:
        found.append(Problem(Severity.WARNING, state.problem, path=""))
    return [asdict(problem) for problem in found]


def run_entries(runs: Sequence[RunInfo], state: State, merged: MergedRuns) -> list[Run]:
    found = merged.current()
    parts = [found.get(run.name) for run in runs]
    # Merged runs take no places, and so no colours.
    rows = [run.name if part is None else part.into for run, part in zip(runs, parts, strict=True)]
    positions = state.positions(dict.fromkeys(rows))
    return [
        Run(
            name=run.name,
            path=run.shown_path,
            first_wall=finite_or_none(run.first_wall),
            last_wall=finite_or_none(run.last_wall),
            files=run.files,
            bytes=run.bytes,
            series=run.series,
            points=run.points,
            payloads=run.payloads,
            position=positions[row],
            merged_into=part.into if part is not None else UNSET,
            curve=part.curve if part is not None and part.curve is not None else UNSET,
        )
        for run, row, part in zip(runs, rows, parts, strict=True)
    ]


def tag_list(store: RunStore, kind: str | None) -> dict[str, object]:
    """Runs by their index, since a sweep has every tag in thousands of runs."""
    by_run = store.tags(kind)
    runs_by_tag: dict[str, dict[str, list[int]]] = {}
    for index, kinds in enumerate(by_run.values()):
        for name, tags in kinds.items():
            of_kind = runs_by_tag.setdefault(name, {})
            for tag in tags:
                of_kind.setdefault(tag, []).append(index)
    kinds_json = {
        name: [{"tag": tag, "runs": runs} for tag, runs in tags.items()] for name, tags in runs_by_tag.items()
    }
    return {"runs": list(by_run), "kinds": kinds_json}


def last_values(store: RunStore, tag: Tag, runs: list[RunName] | None) -> LastValues:
    newest = store.last_values(tag, runs)
    points = newest.values()
    return LastValues(
        tag=tag,
        runs=list(newest),
        steps=[point.step for point in points],
        walls=[point.wall for point in points],
        values=[point.value for point in points],
    )
