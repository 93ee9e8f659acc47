"""Routes of shares: those of a project, and those that somebody may open."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.concurrency import run_in_threadpool

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestStruct, ResponseStruct, not_found
from seamark.team.access.principal import principal_of
from seamark.team.access.rules import in_session, signed_in
from seamark.team.addresses import public_address
from seamark.team.database import Transaction
from seamark.team.projects.project import Project, project_with_id
from seamark.team.projects.run_files import has_event_files, is_run_name
from seamark.team.routes.project_request import PROJECT, project_of
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.sharing.shares import (
    NewShare,
    ShareRow,
    checked_runs,
    create_share,
    members_of,
    public_shares,
    revoke_share,
    shares_for_user,
    shares_of_project,
)
from seamark.team.team import Team, record

DAY_SECS = 86_400.0
MAX_SIMILAR = 3


class ShareItem(ResponseStruct):
    id: str
    name: str
    runs: list[str] | None
    view: str
    has_password: bool
    is_public: bool
    members: list[str]
    created_by: str
    created_at: float
    expires_at: float | None
    revoked_at: float | None
    is_open: bool


class ShareList(ResponseStruct):
    shares: list[ShareItem]


class NewShareBody(RequestStruct, kw_only=True):
    name: Annotated[str, Meta(max_length=200)] = ""
    runs: Annotated[list[str] | None, Meta(description="Exact names; null: every run, also later ones.")] = None
    view: Annotated[str, Meta(max_length=100_000, description="The part of the address behind #.")] = ""
    expires_days: Annotated[float, Meta(gt=0, le=36_500)] | None = None
    password: str | None = None
    is_public: bool = False
    members: Annotated[list[str], Meta(max_length=1000, description="Ids of users.")] = msgspec.field(
        default_factory=list
    )


class CreatedShare(ResponseStruct):
    id: str
    link: str


class ShareId(RequestStruct):
    id: str


class OpenShare(ResponseStruct):
    """A share as those see it who may open it: nothing about the rest of its project."""

    id: str
    name: str
    organisation: str
    project: str
    address: str
    shared_by: str
    created_at: float
    expires_at: float | None
    has_password: bool


class OpenShareList(ResponseStruct):
    shares: list[OpenShare]


class PublicProject(ResponseStruct):
    organisation: str
    name: str
    address: str


class PublicResponse(ResponseStruct):
    projects: list[PublicProject]
    shares: list[OpenShare]


class Nothing(ResponseStruct):
    pass


def share_endpoints(team: Team) -> list[Endpoint]:
    routes = ShareRoutes(team)
    return [
        Endpoint(path=f"{PROJECT}/shares", summary="The shares of a project", handler=routes.list),
        Endpoint(
            path=f"{PROJECT}/shares",
            method="POST",
            summary="Shares runs of a project; the link is shown once",
            handler=routes.create,
        ),
        Endpoint(
            path=f"{PROJECT}/shares/revoke",
            method="POST",
            summary="Ends a share at once, also on open pages",
            handler=routes.revoke,
        ),
        Endpoint(path="/shared", summary="What is shared with you", handler=routes.shared),
        Endpoint(path="/public", summary="What everybody may look at", handler=routes.public),
    ]


class ShareRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> ShareList:
        def read(transaction: Transaction) -> list[ShareItem]:
            project = project_of(transaction, request.http, "writer")
            now = self._team.clock()
            return [item(transaction, share, now) for share in shares_of_project(transaction, project.id)]

        return ShareList(self._team.read(read))

    def create(self, request: ParsedRequest[NoParameters, NewShareBody]) -> CreatedShare:
        principal, wanted, now = principal_of(request.http), request.body, self._team.clock()
        self._team.read(lambda transaction: project_of(transaction, request.http, "writer"))  # before the slow hash
        user = signed_in(principal)
        share = NewShare(
            name=wanted.name,
            runs=None if wanted.runs is None else checked_runs(wanted.runs),
            view=wanted.view.removeprefix("#"),
            password_hash=None if wanted.password is None else self._team.passwords.hash(wanted.password),
            is_public=wanted.is_public,
            expires_at=None if wanted.expires_days is None else now + wanted.expires_days * DAY_SECS,
            members=wanted.members,
        )

        def create(transaction: Transaction) -> tuple[str, str]:
            project = project_of(transaction, request.http, "writer")
            check_runs_exist(transaction, self._team, project, share.runs)
            created = create_share(transaction, project.id, share, creator=user.id, now=now)
            details = {"runs": wanted.runs, "is_public": wanted.is_public, "expires_at": share.expires_at}
            record(transaction, principal, "share.create", project_id=project.id, target=created[0], **details)
            return created

        share_id, secret = self._team.write(create)
        return CreatedShare(share_id, public_address(self._team.settings, request.http, f"/s/{secret}"))

    async def revoke(self, request: ParsedRequest[NoParameters, ShareId]) -> Nothing:
        principal, share_id = principal_of(request.http), request.body.id

        def revoke(transaction: Transaction) -> Project:
            project = project_of(transaction, request.http, "writer")
            revoke_share(transaction, project.id, share_id, self._team.clock())
            record(transaction, principal, "share.revoke", project_id=project.id, target=share_id)
            return project

        project = await run_in_threadpool(self._team.write, revoke)
        await self._team.shares.end(project.id, share_id)
        return Nothing()

    def shared(self, request: ParsedRequest[NoParameters, None]) -> OpenShareList:
        user = in_session(principal_of(request.http))
        now = self._team.clock()
        return OpenShareList(
            self._team.read(lambda transaction: open_shares(transaction, shares_for_user(transaction, user.id, now)))
        )

    def public(self, _: ParsedRequest[NoParameters, None]) -> PublicResponse:
        def read(transaction: Transaction) -> PublicResponse:
            shares = open_shares(transaction, public_shares(transaction, self._team.clock()))
            return PublicResponse(public_projects(transaction), shares)

        return self._team.read(read)


def check_runs_exist(transaction: Transaction, team: Team, project: Project, runs: tuple[str, ...] | None) -> None:
    known = {
        name
        for (name,) in transaction.rows("SELECT name FROM runs WHERE project_id = ? AND deleted_at IS NULL", project.id)
    }
    logs = team.folder.logs_dir(project.id)
    for run in runs or ():
        # A folder that only has runs below it is none itself.
        if run not in known and not (is_run_name(run) and has_event_files(logs / run)):
            raise not_found(f"the project '{project.path}' has no run '{run}'; {similar_runs(run, known)}")


def similar_runs(run: str, known: Collection[str]) -> str:
    """What was probably meant: runs in a folder of that name, or with a name like it."""
    meant = sorted(name for name in known if name.startswith(f"{run}/")) or get_close_matches(run, known)
    if not meant:
        return "a name is exact"
    more = f" and {len(meant) - MAX_SIMILAR} more" if len(meant) > MAX_SIMILAR else ""
    names = ", ".join(f"'{name}'" for name in meant[:MAX_SIMILAR])
    return f"a name is exact, as in {names}{more}"


def item(transaction: Transaction, share: ShareRow, now: float) -> ShareItem:
    return ShareItem(
        id=share.id,
        name=share.name,
        runs=None if share.runs is None else [*share.runs],
        view=share.view,
        has_password=share.password_hash is not None,
        is_public=share.is_public,
        members=members_of(transaction, share.id),
        created_by=email_of(transaction, share.created_by),
        created_at=share.created_at,
        expires_at=share.expires_at,
        revoked_at=share.revoked_at,
        is_open=share.is_open_at(now),
    )


def open_shares(transaction: Transaction, shares: list[ShareRow]) -> list[OpenShare]:
    found = ((share, project_with_id(transaction, share.project_id)) for share in shares)
    return [
        OpenShare(
            id=share.id,
            name=share.name,
            organisation=project.organisation,
            project=project.name,
            address=f"/s/{share.id}",
            shared_by=name_of(transaction, share.created_by),
            created_at=share.created_at,
            expires_at=share.expires_at,
            has_password=share.password_hash is not None,
        )
        for share, project in found
        if project is not None
    ]


def public_projects(transaction: Transaction) -> list[PublicProject]:
    rows = transaction.rows(
        "SELECT o.name, p.name FROM projects p JOIN organisations o ON o.id = p.organisation_id "
        "WHERE p.is_public = 1 AND p.deleted_at IS NULL ORDER BY o.name, p.name"
    )
    return [PublicProject(organisation, name, f"/p/{organisation}/{name}/") for organisation, name in rows]


def email_of(transaction: Transaction, user_id: str) -> str:
    row = transaction.row("SELECT email FROM users WHERE id = ?", user_id)
    return row[0] if row else ""


def name_of(transaction: Transaction, user_id: str) -> str:
    """Not the address of their mail, which visitors need not know."""
    row = transaction.row("SELECT name FROM users WHERE id = ?", user_id)
    return row[0] if row else ""
