"""The routes under /api: lists as JSON, series as columns, changes as server-sent events."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any

from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from seamark.format.types import RunName, Tag
from seamark.serve import schemas, series_query
from seamark.serve.answers import BadRequestError, as_json, as_tagged_json, has_already, json_bytes, tagged
from seamark.serve.columns import MEDIA_TYPE, compacted, encode_columns, encode_together
from seamark.serve.endpoint import TEXT, Asked, Endpoint, Parameter, array_of, in_thread
from seamark.serve.live import Live
from seamark.serve.remembered import Remembered
from seamark.serve.series_query import SeriesQuery, address_query, body_queries, body_query, read_body
from seamark.serve.state import State
from seamark.store import ROW_COLUMNS, LogRoot, Problem, RunInfo, ScalarWindow, Severity, Store
from seamark.store.discovery import is_missing_folder
from seamark.store.roots import shown

# Per run rather than per row: always sent, since the rows cannot be told apart without them.
PER_RUN = ("offsets", "points", "total", "stored")
SMALL_BODY_BYTES = 4096
# Of an answer to several questions: beyond it the rest has to be asked for alone.
ROOM_BYTES = 32 << 20


def list_endpoints(store: Store, roots: Sequence[LogRoot], state: State, live: Live) -> list[Endpoint]:
    # Every page asks for the lists after every change: fifty of them are answered once.
    remembered = Remembered(lambda: store.version)

    def listed(request: Request, question: str, make: Callable[[], object]) -> Response:
        body, _ = remembered.get(
            question,
            lambda: json_bytes(make()),
            is_fresh=lambda version: live.announced.covers_all(version, store.version),
        )
        return tagged(request, body, media_type="application/json")

    def progress(_: Asked) -> Response:
        watched = [
            {"name": root.name, "path": shown(str(root.path)), "exists": not is_missing_folder(root.path)}
            for root in roots
        ]
        return as_json({**asdict(store.progress()), "roots": watched})

    def runs(asked: Asked) -> Response:
        return listed(asked.request, "runs", lambda: run_table(store, state))

    def tags(asked: Asked) -> Response:
        kind = asked.values.get("kind")
        if kind is not None:  # no page asks for one: there is nobody to share it with
            return as_tagged_json(asked.request, tag_table(store, kind))
        return listed(asked.request, "tags", lambda: tag_table(store, None))

    def problems(asked: Asked) -> Response:
        found = store.problems()
        if state.problem:
            found.append(Problem(Severity.WARNING, state.problem, path=""))
        return as_tagged_json(asked.request, {"problems": [asdict(problem) for problem in found]})

    def last(asked: Asked) -> Response:
        wanted = asked.values.get("run")
        names = None if wanted is None else [RunName(run) for run in wanted]
        tables = [last_table(store, Tag(tag), names) for tag in dict.fromkeys(asked.values["tag"])]
        return as_tagged_json(asked.request, {"tags": tables})

    kind = Parameter("kind", "Only this kind.", TEXT)
    tag = Parameter("tag", "The tag; repeat it for several.", array_of(TEXT), required=True)
    run = Parameter("run", "Only these runs; repeat it for several.", array_of(TEXT))
    return [
        Endpoint(path="/progress", answer=progress, schema=schemas.PROGRESS, summary="How far the first reading is."),
        Endpoint(path="/runs", answer=runs, schema=schemas.RUNS, summary="Every run, in the order they began."),
        Endpoint(
            path="/tags", answer=tags, schema=schemas.TAGS, parameters=(kind,), summary="The tags of every kind."
        ),
        Endpoint(path="/problems", answer=problems, schema=schemas.PROBLEMS, summary="What is wrong, in sentences."),
        Endpoint(
            path="/last", answer=last, schema=schemas.LAST, parameters=(tag, run), summary="Newest point of each run."
        ),
    ]  # fmt: skip


def series_endpoints(store: Store, live: Live) -> list[Endpoint]:
    # Versions start anew with every server; the mark keeps those of an earlier one apart.
    mark = secrets.token_hex(4)
    remembered = Remembered(lambda: store.version)

    def is_fresh(query: SeriesQuery) -> Callable[[int], bool]:
        return lambda version: live.announced.covers(query.tag, version, store.version)

    def block_of(query: SeriesQuery) -> tuple[bytes, int]:
        return remembered.get(query, lambda: series_block(store, query), is_fresh=is_fresh(query))

    async def block_soon(query: SeriesQuery) -> tuple[bytes, int]:
        # An answer that is there does not queue behind those that are being made.
        ready = remembered.peek(query, is_fresh=is_fresh(query))
        return ready if ready is not None else await in_thread(block_of, query, is_heavy=True)

    async def by_address(asked: Asked) -> Response:
        request = asked.request
        query = address_query(request)
        asked_for = hashlib.blake2b(repr(query).encode(errors="surrogatepass"), digest_size=8).hexdigest()
        unchanged = f'"{mark}-{store.version}-{asked_for}"'
        if has_already(request, unchanged):
            return tagged(request, b"", media_type=MEDIA_TYPE, etag=unchanged)
        # The version is one from before the answer: at worst an answer that is newer than its tag is asked for again.
        block, version = await block_soon(query)
        return tagged(request, block, media_type=MEDIA_TYPE, etag=f'"{mark}-{version}-{asked_for}"')

    async def by_body(asked: Asked) -> Response:
        body = await read_body(asked.request)
        # A body that names thousands of runs is read off the event loop, too.
        query = body_query(body) if len(body) < SMALL_BODY_BYTES else await in_thread(body_query, body)
        block, _ = await block_soon(query)
        return Response(block, media_type=MEDIA_TYPE, headers={"cache-control": "no-store"})

    def blocks_of(queries: Sequence[SeriesQuery]) -> Iterator[bytes | str]:
        room = ROOM_BYTES
        for query in queries:
            try:
                block: bytes | str = block_of(query)[0] if room > 0 else "too much for one answer: ask for it alone"
            except BadRequestError as error:
                block = str(error)
            room -= len(block)
            yield block

    async def together(asked: Asked) -> Response:
        queries = await in_thread(body_queries, await read_body(asked.request))
        block = await in_thread(lambda: encode_together(blocks_of(queries)), is_heavy=True)
        return Response(block, media_type=MEDIA_TYPE, headers={"cache-control": "no-store"})

    return [
        Endpoint(
            path="/series", stream=by_address, parameters=series_query.PARAMETERS, media_type=MEDIA_TYPE,
            schema=schemas.BYTES, summary="One tag of many runs, as columns.",
        ),
        Endpoint(
            path="/series", method="POST", stream=by_body, body=schemas.SERIES_BODY, media_type=MEDIA_TYPE,
            schema=schemas.BYTES, summary="The same, with the parameters in a JSON object.",
        ),
        Endpoint(
            path="/series/together", method="POST", stream=together, body=schemas.SERIES_TOGETHER_BODY,
            media_type=MEDIA_TYPE, schema=schemas.BYTES, summary="Several such questions in one.",
        ),
    ]  # fmt: skip


def event_endpoint(live: Live) -> Endpoint:
    async def events(asked: Asked) -> Response:
        since = asked.request.headers.get("last-event-id") or asked.values.get("since")
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if asked.request.method == "HEAD":  # has no body, and so no end
            return Response(media_type="text/event-stream", headers=headers)
        return StreamingResponse(live.messages(since), media_type="text/event-stream", headers=headers)

    since = Parameter("since", "The last cursor seen: what came after it is sent first.", TEXT)
    return Endpoint(
        path="/events", stream=events, parameters=(since,), media_type="text/event-stream", schema=TEXT,
        summary="What changes, as it changes.",
    )  # fmt: skip


def run_table(store: Store, state: State) -> dict[str, object]:
    found = store.runs()
    places = state.positions(run.name for run in found)
    # Not asdict, which copies every value of thousands of runs.
    names = [field.name for field in fields(RunInfo)]
    return {
        "runs": [
            {name: getattr(run, name) for name in names} | {"path": shown(str(run.path)), "position": places[run.name]}
            for run in found
        ]
    }


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


def last_table(store: Store, tag: Tag, runs: list[RunName] | None) -> dict[str, object]:
    newest = store.last_values(tag, runs)
    points = newest.values()
    return {
        "tag": tag,
        "runs": list(newest),
        "steps": [point.step for point in points],
        "walls": [point.wall for point in points],
        "values": [point.value for point in points],
    }


def series_block(store: Store, query: SeriesQuery) -> bytes:
    # The store leaves out runs that do not have the tag. Not store.runs(): that looks at every file of every run.
    runs = store.run_names() if query.runs is None else list(query.runs)
    window = store.scalars(
        runs,
        query.tag,
        axis=query.axis,
        start=query.start,
        stop=query.stop,
        max_points=query.width,
        smoothing=query.smoothing,
        attempts=query.attempts,
        edges=query.edges,
        columns=None if query.columns is None else [name for name in query.columns if name in ROW_COLUMNS],
    )
    columns, shared = chosen(window, query.columns), set[str]()
    if query.encoding == "compact":
        columns, shared = compacted(columns, per_run=PER_RUN)
    return encode_columns({"tag": window.tag, "axis": window.axis, "runs": window.runs}, columns, shared=shared)


def chosen(window: ScalarWindow, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """The columns asked for that this window has: `smoothed`, `attempt` and `replaced` only when they say something."""
    possible = [field.name for field in fields(window) if field.name not in ("tag", "axis", "runs")]
    unknown = set(names or ()) - set(possible)
    if unknown:
        raise BadRequestError(f"no column '{min(unknown)}', want some of {', '.join(possible)}")
    wanted = [name for name in possible if names is None or name in names or name in PER_RUN]
    if window.replaced is not None and not window.replaced.any():
        wanted = [name for name in wanted if name not in ("attempt", "replaced")]
    columns = {name: getattr(window, name) for name in wanted}
    return {name: column for name, column in columns.items() if column is not None}
