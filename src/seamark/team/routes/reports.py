"""Routes of reports."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from seamark.kinds.markdown.rich_text import rich_html
from seamark.plugin import Endpoint, ErrorCase, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.serve.state.state import State
from seamark.store import RunStore
from seamark.team.access.principal import User, has_role, principal_of
from seamark.team.addresses import public_address
from seamark.team.database import Transaction
from seamark.team.notify.mentions import notify_mentioned
from seamark.team.projects.opened import View
from seamark.team.projects.project import Project
from seamark.team.routes.project_request import PROJECT, member_project
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record
from seamark.team.together.blocks import Block, BrokenBlock, TextBlock, parse_report
from seamark.team.together.chosen_runs import chosen_runs
from seamark.team.together.report_page import report_html
from seamark.team.together.reports import (
    Report,
    create_report,
    delete_report,
    find_report,
    list_reports,
    list_versions,
    save_report,
)

REPORTS = f"{PROJECT}/reports"
LOAD_SECS = 60.0
Title = Annotated[str, Meta(min_length=1, max_length=300)]
Body = Annotated[str, Meta(max_length=500_000, description="Markdown with blocks; see docs/team-sharing.md.")]


class NewReport(RequestStruct):
    title: Title
    body: Body = ""


class ChangedReport(RequestStruct):
    version: Annotated[int, Meta(description="The version that the change was made on.")]
    title: Title
    body: Body


class VersionParameters(RequestStruct):
    version: Annotated[int | None, Meta(description="An earlier version. Default: the newest.")] = None


class ReportItem(ResponseStruct):
    id: str
    version: int
    title: str
    author: str
    saved_at: float
    created_at: float


class ReportList(ResponseStruct):
    reports: list[ReportItem]


class VersionList(ResponseStruct):
    versions: list[ReportItem]


class Part(ResponseStruct):
    """Safe HTML of text; or a block, and the names of the runs that it is about now."""

    html: str | None
    block: Block | None
    runs: list[str]


class ReportResponse(ResponseStruct):
    id: str
    version: int
    title: str
    body: str
    author: str
    saved_at: float
    created_at: float
    parts: list[Part]
    may_edit: bool


class DraftReport(RequestStruct):
    body: Body


class PreviewResponse(ResponseStruct):
    parts: list[Part]


class Nothing(ResponseStruct):
    pass


CONFLICT = {409: ErrorCase("Somebody saved another version meanwhile; the response has it.", None)}


def report_endpoints(team: Team) -> list[Endpoint]:
    routes = ReportRoutes(team)
    return [
        Endpoint(path=REPORTS, summary="The reports of a project", handler=routes.list),
        Endpoint(
            path=REPORTS,
            method="POST",
            summary="Creates a report",
            handler=routes.create,
        ),
        Endpoint(
            path=f"{REPORTS}/preview",
            method="POST",
            summary="A text as a report would show it; nothing is saved",
            handler=routes.preview,
        ),
        Endpoint(
            path=f"{REPORTS}/{{id}}",
            summary="A report, with its text as safe HTML and its blocks",
            handler=routes.read,
        ),
        Endpoint(
            path=f"{REPORTS}/{{id}}",
            method="PUT",
            summary="Saves a new version of a report",
            handler=routes.save,
            errors=CONFLICT,
        ),
        Endpoint(
            path=f"{REPORTS}/{{id}}/versions",
            summary="The versions of a report, the newest first",
            handler=routes.versions,
        ),
        Endpoint(
            path=f"{REPORTS}/{{id}}/delete",
            method="POST",
            summary="Deletes a report with all its versions",
            handler=routes.delete,
        ),
        Endpoint(
            path=f"{REPORTS}/{{id}}/export",
            summary="A report as one HTML file",
            handler=routes.export,
            media_type="text/html",
        ),
    ]


class ReportRoutes(TeamRoutes):
    """Members read reports, writers change them."""

    def list(self, request: ParsedRequest[NoParameters, None]) -> ReportList:
        def read(transaction: Transaction) -> list[Report]:
            project, _, _ = member_project(transaction, request.http)
            return list_reports(transaction, project.id)

        return ReportList([item(report) for report in self._team.read(read)])

    def versions(self, request: ParsedRequest[NoParameters, None]) -> VersionList:
        def read(transaction: Transaction) -> list[Report]:
            project, _, _ = member_project(transaction, request.http)
            return list_versions(transaction, project.id, request.http.path_params["id"])

        return VersionList([item(report) for report in self._team.read(read)])

    async def create(self, request: ParsedRequest[NoParameters, NewReport]) -> ReportResponse:
        body, now = request.body, self._team.clock()

        def create(transaction: Transaction) -> tuple[Project, Report]:
            project, user, _ = member_project(transaction, request.http, "writer", changes=True)
            report = create_report(transaction, project.id, title=body.title, body=body.body, author=user.id, now=now)
            self._note(transaction, request, project, user, report, "report.create")
            return project, report

        project, report = await run_in_threadpool(self._team.write, create)
        return await self._answer(project, report, may_edit=True)

    async def save(self, request: ParsedRequest[NoParameters, ChangedReport]) -> ReportResponse:
        body, now = request.body, self._team.clock()

        def save(transaction: Transaction) -> tuple[Project, Report]:
            project, user, _ = member_project(transaction, request.http, "writer", changes=True)
            report = save_report(
                transaction,
                project.id,
                request.http.path_params["id"],
                version=body.version,
                title=body.title,
                body=body.body,
                author=user.id,
                now=now,
            )
            self._note(transaction, request, project, user, report, "report.change")
            return project, report

        project, report = await run_in_threadpool(self._team.write, save)
        return await self._answer(project, report, may_edit=True)

    async def preview(self, request: ParsedRequest[NoParameters, DraftReport]) -> PreviewResponse:
        project, _, _ = await run_in_threadpool(
            self._team.read, lambda transaction: member_project(transaction, request.http)
        )
        async with self._team.projects.use(View(project.id)) as opened:
            return PreviewResponse(await run_in_threadpool(parts_of, request.body.body, opened.store))

    async def read(self, request: ParsedRequest[VersionParameters, None]) -> ReportResponse:
        project, report, may_edit = await run_in_threadpool(self._find, request)
        return await self._answer(project, report, may_edit=may_edit)

    def delete(self, request: ParsedRequest[NoParameters, None]) -> Nothing:
        def delete(transaction: Transaction) -> None:
            project, user, role = member_project(transaction, request.http, "writer", changes=True)
            report = find_report(transaction, project.id, request.http.path_params["id"])
            if report.created_by != user.id and not has_role(role, "admin"):
                raise RequestError("only who created a report and admins may delete it", code="forbidden")
            delete_report(transaction, report)
            principal = principal_of(request.http)
            record(transaction, principal, "report.delete", project_id=project.id, target=report.title)

        self._team.write(delete)
        return Nothing()

    async def export(self, request: ParsedRequest[VersionParameters, None]) -> Response:
        project, report, _ = await run_in_threadpool(self._find, request)
        address = public_address(self._team.settings, request.http, f"/p/{project.path}/")

        def make(store: RunStore) -> str:
            store.wait_loaded(LOAD_SECS)
            state: State = self._team.projects.project_state(project.id)
            try:
                return report_html(report, store, state.read()["runs"], address=address)
            finally:
                state.close()

        async with self._team.projects.use(View(project.id)) as opened:
            text = await run_in_threadpool(make, opened.store)
        name = re.sub(r"[^a-z0-9]+", "-", report.title.lower()).strip("-")[:80] or "report"
        headers = {"content-disposition": f'attachment; filename="{name}.html"', "cache-control": "no-store"}
        return Response(text, media_type="text/html", headers=headers)

    def _find(self, request: ParsedRequest[VersionParameters, None]) -> tuple[Project, Report, bool]:
        def read(transaction: Transaction) -> tuple[Project, Report, bool]:
            project, _, role = member_project(transaction, request.http)
            found = find_report(transaction, project.id, request.http.path_params["id"], request.parameters.version)
            return project, found, has_role(role, "writer")

        return self._team.read(read)

    async def _answer(self, project: Project, report: Report, *, may_edit: bool) -> ReportResponse:
        async with self._team.projects.use(View(project.id)) as opened:
            parts = await run_in_threadpool(parts_of, report.body, opened.store)
        return ReportResponse(
            id=report.id,
            version=report.version,
            title=report.title,
            body=report.body,
            author=report.author,
            saved_at=report.saved_at,
            created_at=report.created_at,
            parts=parts,
            may_edit=may_edit,
        )

    def _note(
        self,
        transaction: Transaction,
        request: ParsedRequest[NoParameters, NewReport] | ParsedRequest[NoParameters, ChangedReport],
        project: Project,
        user: User,
        report: Report,
        action: str,
    ) -> None:
        principal = principal_of(request.http)
        record(transaction, principal, action, project_id=project.id, target=report.title, version=report.version)
        link = f"/projects/{project.path}/reports/{report.id}"
        notify_mentioned(
            transaction,
            project,
            user,
            report.body,
            what=f"report {report.id}",
            link=link,
            run="",
            now=self._team.clock(),
        )


def parts_of(body: str, store: RunStore) -> list[Part]:
    parts = []
    for block in parse_report(body):
        if isinstance(block, TextBlock):
            parts.append(Part(rich_html(block.markdown), None, []))
        elif isinstance(block, BrokenBlock):
            parts.append(Part(None, block, []))
        else:
            runs = chosen_runs(block, store)
            parts.append(Part(None, runs, []) if isinstance(runs, BrokenBlock) else Part(None, block, [*runs]))
    return parts


def item(report: Report) -> ReportItem:
    return ReportItem(report.id, report.version, report.title, report.author, report.saved_at, report.created_at)
