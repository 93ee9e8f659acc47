"""Routes for those who got an invitation: what it is for, and accepting it."""

from __future__ import annotations

from typing import Annotated

from starlette.responses import Response

from seamark.plugin import (
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    json_response,
)
from seamark.team.access.principal import Role, User, principal_of
from seamark.team.access.rules import in_session
from seamark.team.accounts.invitations import find_invitation
from seamark.team.accounts.joining import join_project
from seamark.team.accounts.sessions import set_cookie
from seamark.team.accounts.users import create_user
from seamark.team.audit.record import acting_as
from seamark.team.database import Transaction
from seamark.team.routes.session import open_session
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record

MAX_BODY_BYTES = 16 << 10


class InvitationInfo(ResponseStruct):
    organisation: str
    project: str
    role: Role


class Acceptance(RequestStruct):
    """Empty for somebody who is signed in; else of the account to create."""

    email: str | None = None
    name: str | None = None
    password: str | None = None


def invitation_endpoints(team: Team) -> list[Endpoint]:
    routes = InvitationRoutes(team)
    return [
        Endpoint(
            path="/invitations/{code}",
            summary="What an invitation is for",
            handler=routes.show,
        ),
        Endpoint(
            path="/invitations/{code}/accept",
            method="POST",
            summary="Accepts an invitation, with a new account for those who are not signed in",
            handler=routes.accept,
            max_body_bytes=MAX_BODY_BYTES,
        ),
    ]


class InvitationRoutes(TeamRoutes):
    def show(self, request: ParsedRequest[NoParameters, None]) -> InvitationInfo:
        code, team = request.http.path_params["code"], self._team
        team.limits.check_sign_in(principal_of(request.http).address)
        _, project, role = team.read(lambda transaction: find_invitation(transaction, code, team.clock()))
        return InvitationInfo(project.organisation, project.name, role)

    def accept(self, request: ParsedRequest[NoParameters, Acceptance]) -> Annotated[Response, InvitationInfo]:
        principal, wanted, team = principal_of(request.http), request.body, self._team
        team.limits.check_sign_in(principal.address)
        code = request.http.path_params["code"]
        team.read(lambda transaction: find_invitation(transaction, code, team.clock()))
        given = (wanted.email, wanted.name, wanted.password)
        if principal.is_known and given == (None, None, None):
            user = in_session(principal)
            return json_response(team.write(lambda transaction: self._join(transaction, request, code, user)))
        email, name, password = given
        if email is None or name is None or password is None:
            raise RequestError("sign in first, or give email, name and password for a new account", code="unauthorized")
        password_hash = team.passwords.hash(password)

        def create(transaction: Transaction) -> tuple[InvitationInfo, str]:
            user = create_user(transaction, email=email, name=name, password_hash=password_hash)
            record(transaction, acting_as(principal, user), "user.create", target=user.email)
            info = self._join(transaction, request, code, user)
            return info, open_session(transaction, team, principal, user, by="invitation")

        info, secret = team.write(create)
        response = json_response(info)
        set_cookie(response, request.http, secret)
        return response

    def _join(
        self, transaction: Transaction, request: ParsedRequest[NoParameters, Acceptance], code: str, user: User
    ) -> InvitationInfo:
        project, held = join_project(transaction, principal_of(request.http), user, code, now=self._team.clock())
        return InvitationInfo(project.organisation, project.name, held)
