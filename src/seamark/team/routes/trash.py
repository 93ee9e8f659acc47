"""Routes of deleted runs: delete, list, restore, and remove for good."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.concurrency import run_in_threadpool

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestStruct, ResponseStruct, not_found
from seamark.team.access.principal import Principal, principal_of
from seamark.team.database import Transaction
from seamark.team.projects.run_files import is_run_name
from seamark.team.routes.project_request import PROJECT, project_of
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record
from seamark.team.trash.rows import TrashedRun, chosen, live_runs, trashed_runs


class RunNames(RequestStruct):
    runs: Annotated[list[str], Meta(min_length=1, max_length=10_000, description="Exact names.")]


class TrashIds(RequestStruct):
    ids: Annotated[list[str], Meta(min_length=1, max_length=10_000)]


class EmptyBody(RequestStruct):
    ids: Annotated[list[str] | None, Meta(description="Without it: everything in the trash.")] = None


class TrashItem(ResponseStruct):
    id: str
    name: str
    bytes: int
    deleted_at: float
    deleted_by: str
    purge_at: float


class TrashResponse(ResponseStruct):
    runs: list[TrashItem]


def trash_endpoints(team: Team) -> list[Endpoint]:
    routes = TrashRoutes(team)
    return [
        Endpoint(
            path=f"{PROJECT}/runs/delete",
            method="POST",
            summary="Moves runs to the trash",
            handler=routes.delete,
        ),
        Endpoint(path=f"{PROJECT}/trash", summary="The deleted runs", handler=routes.list),
        Endpoint(
            path=f"{PROJECT}/trash/restore",
            method="POST",
            summary="Restores deleted runs",
            handler=routes.restore,
        ),
        Endpoint(
            path=f"{PROJECT}/trash/empty",
            method="POST",
            summary="Removes deleted runs for good",
            handler=routes.empty,
        ),
    ]


class TrashRoutes(TeamRoutes):
    """Every route answers with what is in the trash afterwards."""

    def list(self, request: ParsedRequest[NoParameters, None]) -> TrashResponse:
        project_id = self._team.read(lambda transaction: project_of(transaction, request.http, "writer").id)
        return self._answer(project_id)

    def delete(self, request: ParsedRequest[NoParameters, RunNames]) -> TrashResponse:
        principal, names = principal_of(request.http), list(dict.fromkeys(request.body.runs))
        by = principal.user.email if principal.user else principal.via

        def delete(transaction: Transaction) -> str:
            project = project_of(transaction, request.http, "writer")
            live = live_runs(transaction, project.id)
            logs = self._team.folder.logs_dir(project.id)
            for name in names:
                if not is_run_name(name) or (name not in live and not (logs / name).is_dir()):
                    raise not_found(f"the project has no run '{name[:200]}'; nothing was deleted")
            self._team.trash.delete(transaction, project.id, names, by=by, now=self._team.clock())
            note_each(transaction, principal, "run.delete", project.id, names)
            return project.id

        project_id = self._team.write(delete)
        self._team.trash.settle(project_id)
        return self._answer(project_id)

    def restore(self, request: ParsedRequest[NoParameters, TrashIds]) -> TrashResponse:
        def restore(transaction: Transaction) -> str:
            project = project_of(transaction, request.http, "writer")
            runs = chosen(transaction, project.id, request.body.ids)
            self._team.trash.restore(transaction, runs)
            names = [run.name for run in runs]
            note_each(transaction, principal_of(request.http), "run.restore", project.id, names)
            return project.id

        project_id = self._team.write(restore)
        self._team.trash.settle(project_id)
        return self._answer(project_id)

    async def empty(self, request: ParsedRequest[NoParameters, EmptyBody]) -> TrashResponse:
        def find(transaction: Transaction) -> tuple[str, list[TrashedRun]]:
            project = project_of(transaction, request.http, "admin")
            runs = chosen(transaction, project.id, request.body.ids)
            names = [run.name for run in runs]
            note_each(transaction, principal_of(request.http), "run.purge", project.id, names)
            return project.id, runs

        project_id, runs = await run_in_threadpool(self._team.write, find)
        await self._team.trash.purge(runs)
        return await run_in_threadpool(self._answer, project_id)

    def _answer(self, project_id: str) -> TrashResponse:
        runs = self._team.read(lambda transaction: trashed_runs(transaction, project_id))
        grace = self._team.trash.grace_secs
        return TrashResponse(
            [
                TrashItem(run.id, run.name, run.bytes, run.deleted_at, run.deleted_by, run.deleted_at + grace)
                for run in runs
            ]
        )


def note_each(transaction: Transaction, principal: Principal, action: str, project_id: str, names: list[str]) -> None:
    for name in names:
        record(transaction, principal, action, project_id=project_id, target=name)
