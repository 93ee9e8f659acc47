"""Routes of projects: the list, creation, settings, deletion."""

from __future__ import annotations

import msgspec
from starlette.concurrency import run_in_threadpool

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.team.access.principal import Principal, Role, User, principal_of
from seamark.team.access.rules import in_session, requested_project, role_in, server_admin
from seamark.team.database import Transaction
from seamark.team.projects.deletion import delete_project
from seamark.team.projects.opened import View
from seamark.team.projects.project import Project, all_projects, create_project
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record

PROJECT = "/projects/{organisation}/{project}"


class ProjectItem(ResponseStruct):
    organisation: str
    name: str
    role: Role
    is_public: bool
    created_at: float
    runs: int
    uploaded_at: float | None  # when bytes of a run arrived last


class ProjectList(ResponseStruct):
    projects: list[ProjectItem]


class ProjectDetails(ResponseStruct):
    """`bytes` counts runs in the trash as well. `quota_bytes` null: unlimited."""

    organisation: str
    name: str
    role: Role
    is_public: bool
    created_at: float
    quota_bytes: int | None
    bytes: int
    counts: dict[str, int]  # runs, runs_in_trash, members


class NewProject(RequestStruct):
    organisation: str
    name: str


class ProjectChange(RequestStruct):
    """What is left out stays. `quota_bytes` null: unlimited; only admins of the server change it."""

    is_public: bool | None = None
    quota_bytes: int | msgspec.UnsetType | None = msgspec.UNSET


class DeletedProject(ResponseStruct):
    """Its files are on the disk until then."""

    deleted_for_good_at: float


def project_endpoints(team: Team) -> list[Endpoint]:
    routes = ProjectRoutes(team)
    return [
        Endpoint(path="/projects", summary="Projects that you may see", handler=routes.list),
        Endpoint(
            path="/projects",
            method="POST",
            summary="Creates a project; you become its admin",
            handler=routes.create,
        ),
        Endpoint(path=PROJECT, summary="A project and its settings", handler=routes.show),
        Endpoint(
            path=PROJECT,
            method="PATCH",
            summary="Changes the settings of a project",
            handler=routes.change,
        ),
        Endpoint(
            path=f"{PROJECT}/delete",
            method="POST",
            summary="Deletes a project with its runs",
            handler=routes.delete,
        ),
    ]


class ProjectRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> ProjectList:
        principal = principal_of(request.http)
        return ProjectList(self._team.read(lambda transaction: visible_projects(transaction, principal)))

    def create(self, request: ParsedRequest[NoParameters, NewProject]) -> ProjectItem:
        principal = principal_of(request.http)
        user = in_session(principal)
        wanted = request.body

        def create(transaction: Transaction) -> ProjectItem:
            check_may_create(transaction, user, wanted.organisation)
            project = create_project(transaction, wanted.organisation, wanted.name, creator=user.id)
            record(transaction, principal, "project.create", project_id=project.id, target=project.path)
            return item(project, "admin", 0, None)

        return self._team.write(create)

    def show(self, request: ParsedRequest[NoParameters, None]) -> ProjectDetails:
        return self._team.read(
            lambda transaction: details(transaction, *requested_project(transaction, request.http, "viewer"))
        )

    def change(self, request: ParsedRequest[NoParameters, ProjectChange]) -> ProjectDetails:
        principal, wanted = principal_of(request.http), request.body

        def change(transaction: Transaction) -> ProjectDetails:
            project, _ = requested_project(transaction, request.http, "admin")
            if wanted.is_public is not None:
                publish(transaction, principal, project, wanted.is_public)
            if wanted.quota_bytes is not msgspec.UNSET:
                set_quota(transaction, principal, project, wanted.quota_bytes)
            return details(transaction, *requested_project(transaction, request.http, "admin"))

        return self._team.write(change)

    async def delete(self, request: ParsedRequest[NoParameters, None]) -> DeletedProject:
        principal, team = principal_of(request.http), self._team

        def delete(transaction: Transaction) -> tuple[Project, float]:
            project, _ = requested_project(transaction, request.http, "admin")
            in_session(principal)
            record(transaction, principal, "project.delete", project_id=project.id, target=project.path)
            return project, delete_project(transaction, project, team.clock())

        project, gone_at = await run_in_threadpool(team.write, delete)
        await team.projects.close_view(View(project.id))
        return DeletedProject(gone_at)


def check_may_create(transaction: Transaction, user: User, organisation: str) -> None:
    """Anybody founds an organisation; in one that exists its admins create projects. Raises RequestError."""
    found = transaction.row("SELECT id FROM organisations WHERE name = ?", organisation)
    if found is None or user.is_server_admin:
        return
    if not transaction.row(
        "SELECT 1 FROM organisation_admins WHERE organisation_id = ? AND user_id = ?", found[0], user.id
    ):
        raise RequestError(
            f"only admins of the organisation '{organisation}' create projects in it; choose another name or ask them",
            code="forbidden",
        )


def publish(transaction: Transaction, principal: Principal, project: Project, is_public: bool) -> None:
    transaction.execute("UPDATE projects SET is_public = ? WHERE id = ?", int(is_public), project.id)
    action = "project.publish" if is_public else "project.unpublish"
    record(transaction, principal, action, project_id=project.id, target=project.path)


def set_quota(transaction: Transaction, principal: Principal, project: Project, quota_bytes: int | None) -> None:
    server_admin(principal)
    if quota_bytes is not None and not 0 <= quota_bytes < 2**62:
        raise RequestError("quota_bytes is a number of bytes, or null for unlimited", code="invalid_parameter")
    transaction.execute("UPDATE projects SET quota_bytes = ? WHERE id = ?", quota_bytes, project.id)
    record(transaction, principal, "project.quota", project_id=project.id, target=project.path, quota_bytes=quota_bytes)


def visible_projects(transaction: Transaction, principal: Principal) -> list[ProjectItem]:
    found = ((project, role_in(transaction, principal, project)) for project in all_projects(transaction))
    uploads = {
        project_id: (runs, uploaded_at)
        for project_id, runs, uploaded_at in transaction.rows(
            "SELECT project_id, COUNT(*), MAX(uploaded_at) FROM runs WHERE deleted_at IS NULL GROUP BY project_id"
        )
    }
    return [item(project, role, *uploads.get(project.id, (0, None))) for project, role in found if role is not None]


def item(project: Project, role: Role, runs: int, uploaded_at: float | None) -> ProjectItem:
    return ProjectItem(
        project.organisation, project.name, role, project.is_public, project.created_at, runs, uploaded_at
    )


def details(transaction: Transaction, project: Project, role: Role) -> ProjectDetails:
    row = transaction.row(
        "SELECT COUNT(*), COUNT(deleted_at), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM runs WHERE project_id = ?",
        project.id,
    )
    members = transaction.row("SELECT COUNT(*) FROM members WHERE project_id = ?", project.id)
    assert row is not None and members is not None
    runs, in_trash, size = row
    return ProjectDetails(
        project.organisation,
        project.name,
        role,
        project.is_public,
        project.created_at,
        project.quota_bytes,
        size,
        {"runs": runs - in_trash, "runs_in_trash": in_trash, "members": members[0]},
    )
