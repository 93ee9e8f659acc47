"""/api/runs/trash and /api/runs/delete: remove runs, if the server was started with --allow_delete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from seamark.compare.settings import LIVE_STATUSES
from seamark.format.types import RunName
from seamark.plugin import Endpoint, ErrorCase, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.serve.run_tables import RunTables
from seamark.store import FileToRemove, LogRoot, RemovalError, RunStore, delete_files, move_to_trash, plan_removal

if TYPE_CHECKING:
    from seamark.compare import RunTable

MAX_LISTED = 20_000
How = Literal["trash", "delete"]


class RemovalBody(RequestStruct):
    runs: Annotated[tuple[RunName, ...], Meta(min_length=1, description="The runs to remove.")]
    dry_run: Annotated[bool, Meta(description="List the files and touch nothing.")] = True


class RemovedFile(ResponseStruct):
    path: str
    bytes: int


class RemovalResponse(ResponseStruct):
    dry_run: bool
    runs: list[str]
    files: list[RemovedFile]
    total: int
    bytes: int
    trash: str | None
    problems: list[str]


def removal_endpoints(
    store: RunStore, roots: Sequence[LogRoot], tables: RunTables, *, is_allowed: bool
) -> list[Endpoint]:
    def endpoint(how: How, summary: str) -> Endpoint:
        def remove(request: ParsedRequest[NoParameters, RemovalBody]) -> RemovalResponse:
            if not is_allowed:
                raise RequestError(
                    "removing runs is not allowed; start the server with --allow_delete", code="forbidden"
                )
            try:
                return remove_runs(store, roots, tables.current(), request.body, how=how)
            except RemovalError as error:
                raise RequestError(str(error)) from None

        return Endpoint(
            path=f"/runs/{how}",
            method="POST",
            changes=True,
            summary=summary,
            handler=remove,
            errors={403: ErrorCase("The server was not started with --allow_delete.")},
            pool="table",
        )

    return [
        endpoint("trash", "Moves the files of runs to the trash folder of their log directory."),
        endpoint("delete", "Deletes the files of runs for good."),
    ]


def remove_runs(
    store: RunStore, roots: Sequence[LogRoot], table: RunTable, body: RemovalBody, *, how: How
) -> RemovalResponse:
    table.refresh(look=True)  # else a run that began a moment ago would not count as running
    chosen = with_merged(store, table, body.runs)
    paths = {info.name: info.path for info in store.runs()}
    others = [path for name, path in paths.items() if name not in chosen]
    files = plan_removal([paths[name] for name in chosen], roots=roots, others=others)
    trash: list[str] = []
    problems: list[str] = []
    if not body.dry_run:
        done = move_to_trash(files) if how == "trash" else delete_files(files)
        trash, problems = [str(path) for path in done.trash], done.problems
    return RemovalResponse(
        dry_run=body.dry_run,
        runs=sorted(chosen),
        files=[RemovedFile(path=shown_path(file, roots), bytes=file.bytes) for file in files[:MAX_LISTED]],
        total=len(files),
        bytes=sum(file.bytes for file in files),
        trash=trash[0] if trash else None,
        problems=problems,
    )


def with_merged(store: RunStore, table: RunTable, runs: Sequence[RunName]) -> set[RunName]:
    """The runs, and those that are merged into their rows."""
    known = set(store.run_names())
    unknown = [run for run in runs if run not in known]
    if unknown:
        raise RequestError(f"there is no run '{unknown[0]}'; nothing was removed")
    chosen = set(runs)
    with table.hold():
        for name in list(chosen):
            position = table.place_of(name)
            record = table.records[position] if position is not None else None
            if record is not None and record.name == name:
                chosen.update(record.merged_runs)
                if record.status(table.now()) in LIVE_STATUSES:
                    raise RequestError(f"the run '{name}' is being written; nothing was removed")
    return chosen


def shown_path(file: FileToRemove, roots: Sequence[LogRoot]) -> str:
    """Relative to the log directory if there is only one."""
    return file.relative if len(roots) == 1 else str(file.path)
