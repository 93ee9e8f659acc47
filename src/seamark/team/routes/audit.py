"""Routes of the audit log: of a project for its admins, of everything for admins of the server."""

from __future__ import annotations

from typing import Annotated, Literal

from starlette.responses import Response, StreamingResponse

from seamark.plugin import NO_STORE, Endpoint, ParsedRequest, RequestStruct, ResponseStruct
from seamark.team.access.principal import principal_of
from seamark.team.access.rules import requested_project, server_admin
from seamark.team.audit.export import MEDIA_TYPES, exported
from seamark.team.audit.reading import PAGE, AuditEntry, AuditFilter, all_entries, read_entries
from seamark.team.database import Transaction
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record


class AuditRequest(RequestStruct):
    """`action` run also finds run.delete; `user` is an email; `before` is the `next` of the page before."""

    before: str = ""
    action: str = ""
    user: str = ""
    format: Literal["json", "csv", "jsonl"] = "json"


class AuditPage(ResponseStruct):
    """Newest first. `next` is null on the last page."""

    entries: list[AuditEntry]
    next: str | None


def audit_endpoints(team: Team) -> list[Endpoint]:
    routes = AuditRoutes(team)
    return [
        Endpoint(
            path="/audit",
            summary="The audit log of the server; format=csv or jsonl exports all of it",
            handler=routes.of_server,
        ),
        Endpoint(
            path="/projects/{organisation}/{project}/audit",
            summary="The audit log of a project; format=csv or jsonl exports all of it",
            handler=routes.of_project,
        ),
    ]


class AuditRoutes(TeamRoutes):
    def of_server(self, request: ParsedRequest[AuditRequest, None]) -> Annotated[AuditPage | Response, AuditPage]:
        server_admin(principal_of(request.http))
        return self._answer(request, None)

    def of_project(self, request: ParsedRequest[AuditRequest, None]) -> Annotated[AuditPage | Response, AuditPage]:
        project, _ = self._team.read(lambda transaction: requested_project(transaction, request.http, "admin"))
        return self._answer(request, project.id)

    def _answer(self, request: ParsedRequest[AuditRequest, None], project_id: str | None) -> AuditPage | Response:
        asked = request.parameters
        wanted = AuditFilter(project_id=project_id, before=asked.before, action=asked.action, user=asked.user)
        if asked.format == "json":
            entries = self._team.read(lambda transaction: read_entries(transaction, wanted))
            return AuditPage(entries, entries[-1].id if len(entries) == PAGE else None)

        def note(transaction: Transaction) -> None:
            record(transaction, principal_of(request.http), "audit.export", project_id=project_id, target=asked.format)

        self._team.write(note)
        return StreamingResponse(
            exported(all_entries(self._team.database, wanted), asked.format),
            media_type=MEDIA_TYPES[asked.format],
            headers={**NO_STORE, "content-disposition": f'attachment; filename="audit.{asked.format}"'},
        )
