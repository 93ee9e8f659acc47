"""One run: all it remembers, its console by windows of lines, and its files. Nothing outside of its folder is read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from seamark.serve import compare_schemas as schemas
from seamark.serve.answers import BadRequestError, NotFoundError, as_json, as_tagged_json
from seamark.serve.endpoint import TEXT, Asked, Endpoint, Parameter
from seamark.serve.schemas import BYTES
from seamark.serve.tables import Tables
from seamark.store import Store

if TYPE_CHECKING:
    from seamark.compare import Record

# Of these the page may show the text; everything else is for saving.
MAX_PREVIEW_BYTES = 1 << 20
CHUNK_BYTES = 1 << 18
LAST_LINES = 200
NO_RUN = {404: "There is no such run or file."}


def run_endpoints(store: Store, tables: Tables) -> list[Endpoint]:
    def view(asked: Asked) -> Response:
        from seamark.compare.run_view import run_view  # here and below: a server starts without

        return as_tagged_json(asked.request, run_view(store, known_run(tables, asked.text("run"))))

    def lines(asked: Asked) -> Response:
        return console_answer(store, known_run(tables, asked.text("run")), asked)

    def file(asked: Asked) -> Response:
        return file_answer(known_run(tables, asked.text("run")), asked)

    run = Parameter("run", "The run.", TEXT, required=True)
    source = Parameter("source", "Which log, as /api/run lists them. Default: the run's own, else the first.", TEXT)
    number = {"type": "integer"}
    start = Parameter("start", f"The first line, from 0; negative: from the end. Default -{LAST_LINES}.", number)
    stop = Parameter("stop", "The line behind the last. Default: as many as fit.", number)
    search = Parameter("search", "Only lines that hold this text; start and stop then count those.", TEXT)
    path = Parameter("path", "The file, relative to the run's folder, as /api/run lists them.", TEXT, required=True)
    return [
        Endpoint(
            path="/run", answer=view, parameters=(run,), schema=schemas.RUN, statuses=NO_RUN,
            summary="Everything a run remembers.", needs_table=True,
        ),
        Endpoint(
            path="/run/console", answer=lines, parameters=(run, source, start, stop, search), schema=schemas.CONSOLE,
            statuses=NO_RUN, summary="A window of what the run printed.", needs_table=True,
        ),
        Endpoint(
            path="/run/file", answer=file, parameters=(run, path), schema=BYTES, statuses=NO_RUN,
            media_type="application/octet-stream", summary="A file of the run's folder, for saving.", needs_table=True,
        ),
    ]  # fmt: skip


def known_run(tables: Tables, name: str) -> Record:
    from seamark.compare.difference import UnknownRunError, record_of

    try:
        return record_of(tables.current(), name)
    except UnknownRunError as error:
        raise NotFoundError(str(error)) from None


def console_answer(store: Store, run: Record, asked: Asked) -> Response:
    from seamark.compare import console
    from seamark.compare.run_folder import GoneError
    from seamark.store.inside import OutsideError

    values = asked.values
    source = values.get("source") or own_source(store, run)
    search = values.get("search", "")
    default = 0 if search else -LAST_LINES
    try:
        found = console.read_lines(
            run.path, source, start=values.get("start", default), stop=values.get("stop"), search=search
        )
    except GoneError as error:
        raise NotFoundError(str(error)) from None
    except OutsideError as error:
        raise BadRequestError(str(error)) from None
    return as_json({"run": run.name, "source": source, "search": search, **asdict(found)})


def own_source(store: Store, run: Record) -> str:
    from seamark.compare import console
    from seamark.compare.run_folder import list_files
    from seamark.compare.run_view import folders_of_others

    sources = console.sources(list_files(run.path, other_runs=folders_of_others(store, run)))
    if not sources:
        raise NotFoundError(f"the run has no console log: '{run.path}'")
    return sources[0]


def file_answer(run: Record, asked: Asked) -> Response:
    from seamark.compare.run_folder import GoneError, open_inside
    from seamark.store.inside import OutsideError

    path = asked.text("path")
    try:
        file = open_inside(run.path, path)
    except GoneError as error:
        raise NotFoundError(str(error)) from None
    except OutsideError as error:
        raise BadRequestError(str(error)) from None
    headers = {
        "cache-control": "no-store",
        # Never shown as a page, whatever is in it.
        "content-disposition": f"attachment; filename*=UTF-8''{quote(path.rpartition('/')[2])}",
    }
    start = file.read(MAX_PREVIEW_BYTES + 1)
    if len(start) <= MAX_PREVIEW_BYTES:
        file.close()
        media_type = "text/plain; charset=utf-8" if is_readable(start) else "application/octet-stream"
        return Response(start, media_type=media_type, headers=headers)
    if asked.request.method == "HEAD":
        file.close()
        return Response(media_type="application/octet-stream", headers=headers)
    return StreamedFile(start, file, headers=headers)


def is_readable(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


class StreamedFile(StreamingResponse):
    """The rest of an open file behind its start. The file is closed when the client has it all, or is gone."""

    def __init__(self, start: bytes, file: BinaryIO, *, headers: Mapping[str, str]) -> None:
        super().__init__(chunks(start, file), media_type="application/octet-stream", headers=headers)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


async def chunks(start: bytes, file: BinaryIO) -> AsyncIterator[bytes]:
    yield start
    while chunk := await run_in_threadpool(file.read, CHUNK_BYTES):
        yield chunk
