"""/api/runs/trash and /api/runs/delete: only where the server was started with --allow_delete, and listed first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from seamark.format.types import RunName
from seamark.serve import table_schemas as schemas
from seamark.serve.answers import BadRequestError, as_json
from seamark.serve.endpoint import Asked, Endpoint, in_thread
from seamark.serve.series_query import flag, json_object, names, read_body
from seamark.serve.table_body import check_known
from seamark.serve.tables import Tables
from seamark.store import LogRoot, Store
from seamark.store.removal import Doomed, RemovalError, delete, move_to_trash, plan_removal

if TYPE_CHECKING:
    from seamark.compare import RunTable

MAX_LISTED = 20_000
LIVE = ("running", "writing")


class NotAllowedError(BadRequestError):
    status_code = 403


def removal_endpoints(store: Store, roots: Sequence[LogRoot], tables: Tables, *, is_allowed: bool) -> list[Endpoint]:
    def respond(body: bytes, how: str) -> Response:
        if not is_allowed:
            raise NotAllowedError("this server takes no runs away; start it with --allow_delete if it should")
        given = json_object(body)
        check_known(given, ("runs", "dry_run"))
        wanted = names(given, "runs")
        if not wanted:
            raise BadRequestError("no runs given: want a list of their names")
        is_dry = flag(given, "dry_run") if "dry_run" in given else True
        try:
            return as_json(removal(store, roots, tables.current(), wanted, how=how, is_dry=is_dry))
        except RemovalError as error:
            raise BadRequestError(str(error)) from None

    def endpoint(how: str, summary: str) -> Endpoint:
        async def stream(asked: Asked) -> Response:
            return await in_thread(respond, await read_body(asked.request), how, needs_table=True)

        return Endpoint(
            path=f"/runs/{how}",
            method="POST",
            stream=stream,
            body=schemas.REMOVAL_BODY,
            schema=schemas.REMOVAL,
            statuses={403: "The server was not started with --allow_delete."},
            summary=summary,
        )

    return [
        endpoint("trash", "Moves the files of runs to the trash folder of their log directory."),
        endpoint("delete", "Deletes the files of runs for good."),
    ]


def removal(
    store: Store, roots: Sequence[LogRoot], table: RunTable, runs: list[str], *, how: str, is_dry: bool
) -> dict[str, Any]:
    table.refresh(look=True)  # or a run that began a moment ago would not be known to run
    chosen = with_folded(store, table, runs)
    paths = {info.name: info.path for info in store.runs()}
    others = [path for name, path in paths.items() if name not in chosen]
    doomed = plan_removal([paths[name] for name in chosen], roots=roots, others=others)
    trash: list[str] = []
    problems: list[str] = []
    if not is_dry:
        done = move_to_trash(doomed) if how == "trash" else delete(doomed)
        trash, problems = [str(path) for path in done.trash], done.problems
    return {
        "dry_run": is_dry,
        "runs": sorted(chosen),
        "files": [{"path": shown(file, roots), "bytes": file.bytes} for file in doomed[:MAX_LISTED]],
        "total": len(doomed),
        "bytes": sum(file.bytes for file in doomed),
        "trash": trash[0] if trash else None,
        "problems": problems,
    }


def with_folded(store: Store, table: RunTable, runs: list[str]) -> set[RunName]:
    """The runs, and those that are part of their rows."""
    known = set(store.run_names())
    unknown = [run for run in runs if run not in known]
    if unknown:
        raise BadRequestError(f"there is no run '{unknown[0]}'; nothing was touched")
    chosen = {RunName(run) for run in runs}
    with table.hold():
        for name in list(chosen):
            place = table.place_of(name)
            record = table.records[place] if place is not None else None
            if record is not None and record.name == name:
                chosen.update(record.folded)
                if record.status(table.now()) in LIVE:
                    raise BadRequestError(f"the run '{name}' is being written; nothing was touched")
    return chosen


def shown(file: Doomed, roots: Sequence[LogRoot]) -> str:
    """Relative to the log directory where there is one, else whole."""
    return file.relative if len(roots) == 1 else str(file.path)
