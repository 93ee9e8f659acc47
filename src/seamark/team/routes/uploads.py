"""Routes of uploads: pieces in, runs and their files out, byte for byte."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from seamark import liveness
from seamark.format import run_record
from seamark.plugin import (
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    error_response,
    not_found,
)
from seamark.plugin.request import read_body
from seamark.serve.http.ranges import parse_range
from seamark.team.access.identities import MAX_REUSED, REUSE_SECS
from seamark.team.access.principal import Principal, Role, principal_of
from seamark.team.access.rules import project_for, sign_in_first
from seamark.team.database import Transaction
from seamark.team.ingest import requests
from seamark.team.ingest.batch import Upload
from seamark.team.ingest.log_files import opened
from seamark.team.ingest.run_rows import runs_below
from seamark.team.projects.project import Project
from seamark.team.retention.originals import find_original
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, new_openings, record_opening, write_openings
from seamark.upload import wire

UPLOADED = "run.upload"
PREFIX = "/projects/{organisation}/{project}"
BLOCK_BYTES = 1 << 18
MAX_RECORD_BYTES = 1 << 20
# Decoded on the event loop: changing threads takes longer.
SMALL_BODY_BYTES = 32 << 10
T = TypeVar("T", bound=msgspec.Struct)


class RunParameters(RequestStruct):
    run: str


class FileParameters(RequestStruct):
    run: str
    file: str


class RunItem(ResponseStruct):
    """`status` is that of run.json, "" for a run without one."""

    name: str
    bytes: int
    created_at: float
    uploaded_at: float
    status: str


class RunList(ResponseStruct):
    runs: list[RunItem]


class FileItem(ResponseStruct):
    file: str
    bytes: int


class FileList(ResponseStruct):
    files: list[FileItem]


def upload_endpoints(team: Team) -> list[Endpoint]:
    routes = UploadRoutes(team)
    return [
        Endpoint(
            path=f"{PREFIX}/upload",
            method="POST",
            summary="Stores pieces of files (msgpack, see docs/uploading.md)",
            handler=routes.upload,
            media_type=wire.MEDIA_TYPE,
        ),
        Endpoint(
            path=f"{PREFIX}/upload/lengths",
            method="POST",
            summary="How much of each file the server has (msgpack)",
            handler=routes.lengths,
            media_type=wire.MEDIA_TYPE,
        ),
        Endpoint(path=f"{PREFIX}/runs", summary="The runs of a project", handler=routes.runs),
        Endpoint(
            path=f"{PREFIX}/files",
            summary="The files of a run",
            handler=routes.files,
        ),
        Endpoint(
            path=f"{PREFIX}/file",
            summary="A file of a run, or a range of it",
            handler=routes.file,
            media_type="application/octet-stream",
        ),
    ]


class UploadRoutes(TeamRoutes):
    def __init__(self, team: Team) -> None:
        super().__init__(team)
        self._recent: dict[tuple[Principal, str, str, Role], tuple[float, Project]] = {}

    async def upload(self, request: ParsedRequest[NoParameters, None]) -> Response:
        """The role is checked before the body is read: only writers may send megabytes."""
        http = request.http
        project = await self._project_soon(http, "writer")
        try:
            body = await read_limited(http, wire.MAX_REQUEST_BYTES)
        except RequestError as error:
            # The rest of the body is not read.
            return error_response(error, headers={"connection": "close"})
        if len(body) < SMALL_BODY_BYTES:
            entries = requests.decode_pieces(body, project.id)
        else:
            entries = await run_in_threadpool(requests.decode_pieces, body, project.id)
        principal = principal_of(http)
        user_id = principal.user.id if principal.user is not None else None
        upload = Upload(project.id, user_id, project.quota_bytes, entries)
        results = await asyncio.wrap_future(self._team.ingest.submit(upload))
        stored = {entry.run for entry, result in zip(entries, results, strict=True) if result.outcome == "stored"}
        new = new_openings(self._team, principal, UPLOADED, project, sorted(stored))
        if new:
            await run_in_threadpool(write_openings, self._team, principal, UPLOADED, project, new)
        sender = f"{project.id}/{entries[0].run}" if entries else ""
        return packed(wire.UploadResponse(results, self._team.ingest.pause_secs(sender)))

    async def lengths(self, request: ParsedRequest[NoParameters, None]) -> Response:
        """Reads as many bytes of the files as the server has: not for visitors of a public project."""
        http = request.http
        if not principal_of(http).is_known:
            raise sign_in_first()
        project = await self._project_soon(http, "viewer")
        body = await read_limited(http, wire.MAX_REQUEST_BYTES)
        return packed(await run_in_threadpool(self._answer_questions, project, body))

    def runs(self, request: ParsedRequest[NoParameters, None]) -> RunList:
        project = self._opened_project(request.http)
        rows = self._team.read(
            lambda transaction: transaction.rows(
                "SELECT name, bytes, created_at, uploaded_at FROM runs "
                "WHERE project_id = ? AND deleted_at IS NULL ORDER BY name",
                project.id,
            )
        )
        return RunList(
            [
                RunItem(name, size, created_at, uploaded_at, self._status(project, name))
                for name, size, created_at, uploaded_at in rows
            ]
        )

    def files(self, request: ParsedRequest[RunParameters, None]) -> FileList:
        project, run = self._opened_project(request.http), request.parameters.run
        others = self._team.read(lambda transaction: self._check_run(transaction, project, run))
        found = self._team.ingest.files.list(project.id, run, others)
        return FileList([FileItem(file, length) for file, length in found])

    def file(self, request: ParsedRequest[FileParameters, None]) -> Response:
        project, wanted = self._opened_project(request.http), request.parameters
        self._team.read(lambda transaction: self._check_run(transaction, project, wanted.run))
        requests.check_names(wanted.run, wanted.file)
        path = self._team.ingest.files.path(project.id, wanted.run, wanted.file)
        size = self._length(path)
        if size is None:
            raise not_found(f"run '{wanted.run}' has no file '{wanted.file}'")
        return file_response(request.http, path, size)

    async def _project_soon(self, http: Request, role: Role) -> Project:
        """Without a thread if the same principal asked a moment ago, as a trainer does once a second."""
        principal, names = principal_of(http), http.path_params
        key = msgspec.structs.replace(principal, address=""), names["organisation"], names["project"], role
        found = self._recent.get(key)
        if found is not None and time.monotonic() < found[0]:
            return found[1]
        project = await run_in_threadpool(self._project, http, role)
        if len(self._recent) >= MAX_REUSED:
            self._recent.clear()
        self._recent[key] = time.monotonic() + REUSE_SECS, project
        return project

    def _opened_project(self, http: Request) -> Project:
        """Whoever pulls runs has seen them."""
        project = self._project(http, "viewer")
        record_opening(self._team, principal_of(http), "project.open", project)
        return project

    def _project(self, http: Request, role: Role) -> Project:
        names, principal = http.path_params, principal_of(http)
        return self._team.read(
            lambda transaction: project_for(transaction, principal, names["organisation"], names["project"], role)
        )[0]

    def _check_run(self, transaction: Transaction, project: Project, run: str) -> set[str]:
        """The names of the runs below it. Raises RequestError for a run that is not there."""
        live = "SELECT 1 FROM runs WHERE project_id = ? AND name = ? AND deleted_at IS NULL"
        if not transaction.row(live, project.id, run):
            raise not_found(f"project '{project.path}' has no run '{run[:200]}'")
        return runs_below(transaction, project.id, run)

    def _answer_questions(self, project: Project, body: bytes) -> wire.LengthsResponse:
        questions = requests.decode(body, wire.LengthsRequest).files
        if len(questions) > wire.MAX_QUESTIONS:
            sentence = f"a request asks for at most {wire.MAX_QUESTIONS:,} files, got {len(questions):,}"
            raise RequestError(sentence, code="too_large")
        return wire.LengthsResponse([self._answer(project, question) for question in questions])

    def _answer(self, project: Project, question: wire.FileQuestion) -> wire.FileAnswer:
        requests.check_names(question.run, question.file)
        files = self._team.ingest.files
        path = files.path(project.id, question.run, question.file)
        original = self._team.read(
            lambda transaction: find_original(transaction, project.id, question.run, question.file)
        )
        if original is not None and question.length >= original.length:
            known = original.hash if question.is_exact else original.fingerprint
            return wire.FileAnswer(original.length, original.length, bytes.fromhex(known))
        try:
            length = files.length(path) or 0
            compared = max(0, min(length, question.length))
            found = files.hash(path, compared, is_exact=question.is_exact) if compared else b""
        except OSError as error:
            return wire.FileAnswer(0, 0, b"", f"the file cannot be read ({error.strerror or error})")
        return wire.FileAnswer(length, compared, found)

    def _length(self, path: Path) -> int | None:
        try:
            return self._team.ingest.files.length(path)
        except OSError:
            return None

    def _status(self, project: Project, run: str) -> str:
        path = self._team.ingest.files.path(project.id, run, run_record.FILE_NAME)
        try:
            with opened(path, os.O_RDONLY) as descriptor:
                record = run_record.loads(os.pread(descriptor, MAX_RECORD_BYTES, 0))
        except (OSError, run_record.RunRecordError):
            return ""
        return liveness.status_of(record, now=time.time())


async def read_limited(http: Request, max_bytes: int) -> bytes:
    """Rejects a body that announces more before any of it is read. Raises RequestError."""
    claimed = http.headers.get("content-length", "0")
    if claimed.isdecimal() and int(claimed) > max_bytes:
        raise RequestError(f"the request body is longer than {max_bytes:,} bytes", code="too_large")
    return await read_body(http, max_bytes=max_bytes)


def packed(response: msgspec.Struct) -> Response:
    return Response(msgspec.msgpack.encode(response), media_type=wire.MEDIA_TYPE, headers={"cache-control": "no-store"})


def file_response(http: Request, path: Path, size: int) -> Response:
    """The first `size` bytes of a file, which may grow meanwhile, or a range of them."""
    wanted = parse_range(http, size, "")
    start, stop = wanted or (0, size)
    headers = {"accept-ranges": "bytes", "cache-control": "no-store", "content-disposition": "attachment"}
    if wanted is not None and start >= stop:
        error = RequestError(f"the range starts behind the end of {size:,} bytes", code="invalid_range")
        return error_response(error, headers={**headers, "content-range": f"bytes */{size}"})
    headers["content-length"] = str(stop - start)
    if wanted is not None:
        headers["content-range"] = f"bytes {start}-{stop - 1}/{size}"
    status = 200 if wanted is None else 206
    return StreamingResponse(blocks(path, start, stop), status, headers, media_type="application/octet-stream")


def blocks(path: Path, start: int, stop: int) -> Iterator[bytes]:
    with opened(path, os.O_RDONLY) as descriptor:
        while start < stop:
            block = os.pread(descriptor, min(BLOCK_BYTES, stop - start), start)
            if not block:
                return  # cut short: the client notices by the length
            yield block
            start += len(block)
