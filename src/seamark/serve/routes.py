"""The routes under /api: lists as JSON, series as columns, changes as server-sent events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from numpy.typing import NDArray
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from seamark.serve.answers import BadRequestError, as_json
from seamark.serve.columns import MEDIA_TYPE, encode_columns
from seamark.serve.live import Live
from seamark.serve.series_query import SeriesQuery, read_query
from seamark.store import LogRoot, ScalarWindow, Store

# Per run rather than per row: always sent, since the rows cannot be told apart without them.
PER_RUN = ("offsets", "points", "total", "stored")


def api_routes(store: Store, roots: Sequence[LogRoot], live: Live) -> list[Route]:
    def progress(_: Request) -> Response:
        """How far the reading has come, and which folders are watched."""
        watched = [{"name": root.name, "path": str(root.path), "exists": root.path.is_dir()} for root in roots]
        return as_json({**asdict(store.progress()), "roots": watched})

    def runs(_: Request) -> Response:
        """Every run, in the order in which they began."""
        return as_json({"runs": [{**asdict(run), "path": str(run.path)} for run in store.runs()]})

    def tags(request: Request) -> Response:
        """The tags of every kind, each with the runs that have it."""
        return as_json(tag_table(store, request.query_params.get("kind")))

    def problems(_: Request) -> Response:
        """What is wrong with the event files, in sentences."""
        return as_json({"problems": [asdict(problem) for problem in store.problems()]})

    async def series(request: Request) -> Response:
        """One tag of many runs, as columns."""
        query = await read_query(request)
        block = await run_in_threadpool(series_block, store, query)
        return Response(block, media_type=MEDIA_TYPE, headers={"cache-control": "no-store"})

    async def events(_: Request) -> Response:
        """What changes, as it changes."""
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(live.messages(), media_type="text/event-stream", headers=headers)

    return [
        Route("/progress", progress),
        Route("/runs", runs),
        Route("/tags", tags),
        Route("/problems", problems),
        Route("/series", series, methods=["GET", "POST"]),
        Route("/events", events),
    ]


def tag_table(store: Store, kind: str | None) -> dict[str, object]:
    """Runs by number, since a sweep repeats every tag in thousands of runs."""
    by_run = store.tags(kind)
    table: dict[str, dict[str, list[int]]] = {}
    for number, kinds in enumerate(by_run.values()):
        for name, tags in kinds.items():
            runs_of = table.setdefault(name, {})
            for tag in tags:
                runs_of.setdefault(tag, []).append(number)
    kinds_out = {name: [{"tag": tag, "runs": runs} for tag, runs in tags.items()] for name, tags in table.items()}
    return {"runs": list(by_run), "kinds": kinds_out}


def series_block(store: Store, query: SeriesQuery) -> bytes:
    # The store leaves out runs that do not have the tag.
    runs = [run.name for run in store.runs()] if query.runs is None else list(query.runs)
    window = store.scalars(
        runs,
        query.tag,
        axis=query.axis,
        start=query.start,
        stop=query.stop,
        max_points=query.width,
        smoothing=query.smoothing,
        attempts=query.attempts,
    )
    return encode_columns({"tag": window.tag, "axis": window.axis, "runs": window.runs}, chosen(window, query.columns))


def chosen(window: ScalarWindow, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """The columns asked for that this window has: `smoothed` and `attempt` are there only when they say something."""
    possible = [field.name for field in fields(window) if field.name not in ("tag", "axis", "runs")]
    unknown = set(names or ()) - set(possible)
    if unknown:
        raise BadRequestError(f"no column '{min(unknown)}', want some of {', '.join(possible)}")
    wanted = [name for name in possible if names is None or name in names or name in PER_RUN]
    columns = {name: getattr(window, name) for name in wanted}
    return {name: column for name, column in columns.items() if column is not None}
