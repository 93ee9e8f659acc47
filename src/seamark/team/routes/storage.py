"""Routes of storage: what uses it, and the rules that free it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestStruct, ResponseStruct
from seamark.team.access.principal import principal_of
from seamark.team.database import Transaction
from seamark.team.retention.retention import stored_runs
from seamark.team.retention.rules import Rule, check_rules, read_rules, write_rules
from seamark.team.retention.usage import usage_of_run
from seamark.team.routes.project_request import PROJECT, project_of
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record
from seamark.team.trash.rows import trashed_runs

MAX_LISTED = 10_000


class RunStorage(ResponseStruct):
    name: str
    bytes: int
    kinds: dict[str, int]
    uploaded_at: float


class StorageResponse(ResponseStruct):
    bytes: int
    quota_bytes: int | None
    trash_bytes: int
    kinds: dict[str, int]
    runs: list[RunStorage]


class RulesBody(RequestStruct):
    rules: list[Rule]


class RulesResponse(ResponseStruct):
    rules: list[Rule]


class DryRunBody(RequestStruct):
    rules: Annotated[list[Rule] | None, Meta(description="Without it: the saved rules.")] = None


class DroppedFile(ResponseStruct):
    run: str
    path: str
    bytes: int
    dropped: dict[str, int]


class DryRunResponse(ResponseStruct):
    runs: list[str]
    files: list[DroppedFile]
    total_files: int
    dropped_bytes: int


def storage_endpoints(team: Team) -> list[Endpoint]:
    routes = StorageRoutes(team)
    return [
        Endpoint(
            path=f"{PROJECT}/storage",
            summary="Bytes of a project by run and by what the files are",
            handler=routes.storage,
            pool="heavy",
        ),
        Endpoint(
            path=f"{PROJECT}/retention",
            summary="The retention rules",
            handler=routes.rules,
        ),
        Endpoint(
            path=f"{PROJECT}/retention",
            method="PUT",
            summary="Replaces the retention rules, which are applied once a day",
            handler=routes.save_rules,
        ),
        Endpoint(
            path=f"{PROJECT}/retention/dry_run",
            method="POST",
            summary="What rules would drop now; nothing is changed",
            handler=routes.dry_run,
            pool="heavy",
        ),
    ]


class StorageRoutes(TeamRoutes):
    def storage(self, request: ParsedRequest[NoParameters, None]) -> StorageResponse:
        project, runs, trashed = self._team.read(
            lambda transaction: (
                (found := project_of(transaction, request.http, "viewer")),
                stored_runs(transaction, found.id),
                trashed_runs(transaction, found.id),
            )
        )
        logs, known = self._team.folder.logs_dir(project.id), {run.name for run in runs}
        used = [(usage_of_run(logs, run.name, known), run.uploaded_at) for run in runs]
        kinds: dict[str, int] = {}
        for usage, _ in used:
            for kind, size in usage.kinds.items():
                kinds[kind] = kinds.get(kind, 0) + size
        trash_bytes = sum(run.bytes for run in trashed)
        largest = sorted(used, key=lambda each: -each[0].bytes)[:MAX_LISTED]
        return StorageResponse(
            bytes=sum(kinds.values()) + trash_bytes,
            quota_bytes=project.quota_bytes,
            trash_bytes=trash_bytes,
            kinds=kinds,
            runs=[RunStorage(usage.name, usage.bytes, usage.kinds, at) for usage, at in largest],
        )

    def rules(self, request: ParsedRequest[NoParameters, None]) -> RulesResponse:
        return RulesResponse(
            self._team.read(
                lambda transaction: read_rules(transaction, project_of(transaction, request.http, "viewer").id)
            )
        )

    def save_rules(self, request: ParsedRequest[NoParameters, RulesBody]) -> RulesResponse:
        rules = request.body.rules
        check_rules(rules)

        def save(transaction: Transaction) -> None:
            project = project_of(transaction, request.http, "admin")
            write_rules(transaction, project.id, rules)
            record(transaction, principal_of(request.http), "retention.change", project_id=project.id, rules=len(rules))

        self._team.write(save)
        return RulesResponse(rules)

    def dry_run(self, request: ParsedRequest[NoParameters, DryRunBody]) -> DryRunResponse:
        given = request.body.rules
        check_rules(given or ())
        project, saved = self._team.read(
            lambda transaction: (
                (found := project_of(transaction, request.http, "admin")),
                read_rules(transaction, found.id),
            )
        )
        rules = saved if given is None else given
        changes = self._team.retention.dry_run(project.id, rules, self._team.clock())
        return DryRunResponse(
            runs=list(dict.fromkeys(change.run for change in changes)),
            files=[DroppedFile(each.run, each.path, each.bytes, each.dropped) for each in changes[:MAX_LISTED]],
            total_files=len(changes),
            dropped_bytes=sum(change.bytes - change.bytes_after for change in changes),
        )
