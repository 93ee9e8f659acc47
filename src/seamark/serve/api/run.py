"""/api/run: one run with its record, its console by windows of lines, and its files.

No file outside of the run's folder is read.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO
from urllib.parse import quote

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from seamark.compare.settings import FileKind, Goal
from seamark.format import run_record
from seamark.plugin import Endpoint, ParsedRequest, RequestError, RequestStruct, ResponseStruct, not_found
from seamark.plugin.parameters import RunParameter
from seamark.serve.api.types import NO_SUCH_RUN, Cell
from seamark.serve.run_tables import RunTables
from seamark.store import OutsideError, RunStore

if TYPE_CHECKING:
    from seamark.compare import Record

# The page may show a text up to this size; everything else is a download.
MAX_PREVIEW_BYTES = 1 << 20
CHUNK_BYTES = 1 << 18
LAST_LINES = 200
BINARY = "application/octet-stream"


class RunParameters(RequestStruct):
    run: RunParameter


class RunFile(ResponseStruct):
    path: str
    bytes: int
    modified: float
    kind: FileKind


class ConsoleSource(ResponseStruct):
    source: str
    bytes: int


class SeriesSource(ResponseStruct):
    run: str
    tag: str


class EventCounts(ResponseStruct):
    files: int
    bytes: int
    points: int
    payloads: int


class RunRecord(ResponseStruct):
    """run.json, without what RunResponse has as fields of its own."""

    id: str
    name: str
    project: str
    group: str
    job_type: str
    tags: list[str]
    notes: str
    status: str
    started_at: float
    ended_at: float | None
    heartbeat_at: float
    heartbeat_secs: float
    exit_code: int | None
    signal: str
    error: run_record.Failure | None
    last_step: int | None
    summary_counts: dict[str, int]
    metrics: list[run_record.Metric]
    objectives: list[run_record.Objective]
    writer: run_record.Writer
    command: list[str]
    working_dir: str
    python: run_record.Python
    packages: dict[str, str]
    host: run_record.Host
    gpus: list[run_record.Gpu]
    environment: dict[str, str]
    git: run_record.Git | None
    console_file: str
    artifacts: list[run_record.ArtifactUse]


class RunResponse(ResponseStruct):
    name: str
    path: str
    status: str
    started: float | None
    ended: float | None
    duration: float | None
    last_wall: float | None
    last_step: int | None
    record: RunRecord | None
    config: dict[str, Any]
    params: dict[str, Cell]
    summary: dict[str, Any]
    sessions: list[run_record.Session]
    alerts: list[run_record.Alert]
    git_diff: str | None
    files: list[RunFile]
    console: list[ConsoleSource]
    goals: dict[str, Goal]
    system_tags: list[str]
    events: EventCounts
    merged_runs: list[str]
    series_sources: dict[str, SeriesSource]
    missing: str
    problems: list[str]


class ConsoleParameters(RequestStruct):
    run: RunParameter
    source: Annotated[
        str, Meta(description="Which log, as /api/run lists them. Default: the run's own, else the first.")
    ] = ""
    start: Annotated[
        int | None, Meta(description=f"The first line, from 0; negative: from the end. Default -{LAST_LINES}.")
    ] = None
    stop: Annotated[int | None, Meta(description="The line behind the last. Default: as many as fit.")] = None
    search: Annotated[str, Meta(description="Only lines that contain this text; start and stop then count those.")] = ""


class ConsoleLine(ResponseStruct):
    number: int
    text: str
    is_cut: bool


class ConsoleResponse(ResponseStruct):
    run: str
    source: str
    search: str
    total: int
    matched: int
    start: int
    lines: list[ConsoleLine]
    bytes: int
    is_complete: bool


class FileParameters(RequestStruct):
    run: RunParameter
    path: Annotated[str, Meta(description="The file, relative to the run's folder, as /api/run lists them.")]


def run_endpoints(store: RunStore, tables: RunTables) -> list[Endpoint]:
    def view(request: ParsedRequest[RunParameters, None]) -> Annotated[dict[str, Any], RunResponse]:
        from seamark.compare.run_view import run_view  # loaded by the first request, as is all of compare below

        return run_view(store, find_run(tables, request.parameters.run))

    def lines(request: ParsedRequest[ConsoleParameters, None]) -> Annotated[dict[str, Any], ConsoleResponse]:
        return console_lines(store, find_run(tables, request.parameters.run), request.parameters)

    def file(request: ParsedRequest[FileParameters, None]) -> Response:
        run = find_run(tables, request.parameters.run)
        return file_response(run, request.parameters.path, has_body=request.http.method != "HEAD")

    return [
        Endpoint(
            path="/run",
            summary="Everything that is recorded of a run.",
            handler=view,
            errors={404: NO_SUCH_RUN},
            has_etag=True,
            pool="table",
        ),
        Endpoint(
            path="/run/console",
            summary="A window of the run's console log.",
            handler=lines,
            errors={404: NO_SUCH_RUN},
            pool="table",
        ),
        Endpoint(
            path="/run/file",
            summary="A file of the run's folder, as a download.",
            handler=file,
            media_type=BINARY,
            errors={404: NO_SUCH_RUN},
            pool="table",
        ),
    ]


def find_run(tables: RunTables, name: str) -> Record:
    from seamark.compare.diff.difference import UnknownRunError, record_of

    try:
        return record_of(tables.current(), name)
    except UnknownRunError as error:
        raise not_found(str(error)) from None


def console_lines(store: RunStore, run: Record, wanted: ConsoleParameters) -> dict[str, Any]:
    from seamark.compare.record import console
    from seamark.compare.record.run_folder import GoneError

    source, search = wanted.source or first_source(store, run), wanted.search
    start = wanted.start if wanted.start is not None else 0 if search else -LAST_LINES
    try:
        found = console.read_lines(run.path, source, start=start, stop=wanted.stop, search=search)
    except GoneError as error:
        raise not_found(str(error)) from None
    except OutsideError as error:
        raise RequestError(str(error)) from None
    return {"run": run.name, "source": source, "search": search, **asdict(found)}


def first_source(store: RunStore, run: Record) -> str:
    from seamark.compare.record import console
    from seamark.compare.record.run_folder import list_files
    from seamark.compare.run_view import folders_of_others

    sources = console.sources(list_files(run.path, other_runs=folders_of_others(store, run)))
    if not sources:
        raise not_found(f"the run has no console log: '{run.info.shown_path}'")
    return sources[0]


def file_response(run: Record, path: str, *, has_body: bool) -> Response:
    from seamark.compare.record.run_folder import GoneError, open_inside

    try:
        file = open_inside(run.path, path)
    except GoneError as error:
        raise not_found(str(error)) from None
    except OutsideError as error:
        raise RequestError(str(error)) from None
    headers = {
        "cache-control": "no-store",
        # A browser never shows it as a page, whatever it contains.
        "content-disposition": f"attachment; filename*=UTF-8''{quote(path.rpartition('/')[2])}",
    }
    start = file.read(MAX_PREVIEW_BYTES + 1)
    if len(start) <= MAX_PREVIEW_BYTES:
        file.close()
        return Response(start, media_type="text/plain; charset=utf-8" if is_text(start) else BINARY, headers=headers)
    if not has_body:
        file.close()
        return Response(media_type=BINARY, headers=headers)
    return StreamedFile(start, file, headers=headers)


def is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


class StreamedFile(StreamingResponse):
    """The start of a file and the rest of it. Closes the file when the client has it all or disconnects."""

    def __init__(self, start: bytes, file: BinaryIO, *, headers: Mapping[str, str]) -> None:
        super().__init__(file_chunks(start, file), media_type=BINARY, headers=headers)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


async def file_chunks(start: bytes, file: BinaryIO) -> AsyncIterator[bytes]:
    yield start
    while chunk := await run_in_threadpool(file.read, CHUNK_BYTES):
        yield chunk
