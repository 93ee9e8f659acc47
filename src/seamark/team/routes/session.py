"""Routes of the session: who is signed in, signing in and out, and the first admin."""

from __future__ import annotations

from typing import Annotated

from starlette.requests import HTTPConnection
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
from seamark.team.access.guard import is_secure, session_secret
from seamark.team.access.principal import Principal, User, principal_of
from seamark.team.access.rate_limits import too_many_requests
from seamark.team.accounts.failures import begin_attempt, forget_failures, subjects_of
from seamark.team.accounts.sessions import delete_cookie, end_session, set_cookie, start_session
from seamark.team.accounts.setup_code import check_setup_code, use_setup_code
from seamark.team.accounts.users import create_user, credentials_of, has_server_admin, normal_email
from seamark.team.audit.record import acting_as
from seamark.team.database import Transaction
from seamark.team.oidc.settings import read_providers
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record
from seamark.version import __version__

MAX_BODY_BYTES = 16 << 10


class OidcItem(ResponseStruct):
    """A provider to sign in with: a browser goes to `address`."""

    name: str
    label: str
    address: str


class SessionInfo(ResponseStruct):
    user: User | None
    needs_setup: bool
    oidc: list[OidcItem]
    version: str


class SignIn(RequestStruct):
    email: str
    password: str


class SetUp(RequestStruct):
    code: str
    email: str
    name: str
    password: str


def session_endpoints(team: Team) -> list[Endpoint]:
    routes = SessionRoutes(team)
    return [
        Endpoint(path="/session", summary="Who is signed in, and how one can", handler=routes.show),
        Endpoint(
            path="/session",
            method="POST",
            summary="Signs in by email and password",
            handler=routes.sign_in,
            max_body_bytes=MAX_BODY_BYTES,
        ),
        Endpoint(path="/session/end", method="POST", summary="Signs out", handler=routes.sign_out),
        Endpoint(
            path="/setup",
            method="POST",
            summary="Creates the first admin, with the code that the server printed",
            handler=routes.set_up,
            max_body_bytes=MAX_BODY_BYTES,
        ),
    ]


class SessionRoutes(TeamRoutes):
    def show(self, request: ParsedRequest[NoParameters, None]) -> SessionInfo:
        return self._info(principal_of(request.http).user)

    def sign_in(self, request: ParsedRequest[NoParameters, SignIn]) -> Annotated[Response, SessionInfo]:
        principal, team = principal_of(request.http), self._team
        team.limits.check_sign_in(principal.address)
        email, password = normal_email(request.body.email), request.body.password
        wait = team.write(
            lambda transaction: begin_attempt(transaction, subjects_of(email, principal.address), team.clock())
        )
        if wait > 0:
            raise too_many_requests("too many failed sign-ins", wait)
        found = team.read(lambda transaction: credentials_of(transaction, email))
        is_right = team.passwords.is_right(found[1] if found else None, password)
        if found is None or not is_right:
            team.write(lambda transaction: record(transaction, principal, "session.fail", target=email))
            raise RequestError("the email or the password is wrong", code="unauthorized")
        user = found[0]

        def start(transaction: Transaction) -> str:
            forget_failures(transaction, email, principal.address)
            return open_session(transaction, team, principal, user, by="password")

        return self._signed_in(request.http, user, team.write(start))

    def sign_out(self, request: ParsedRequest[NoParameters, None]) -> Annotated[Response, SessionInfo]:
        principal, http = principal_of(request.http), request.http
        secret = session_secret(http.headers, is_secure=is_secure(http))

        def end(transaction: Transaction) -> None:
            end_session(transaction, secret)
            if principal.user is not None:
                record(transaction, principal, "session.end", target=principal.user.email)

        self._team.write(end)
        self._team.identities.forget()
        response = json_response(self._info(None))
        delete_cookie(response, http)
        return response

    def set_up(self, request: ParsedRequest[NoParameters, SetUp]) -> Annotated[Response, SessionInfo]:
        principal, wanted, team = principal_of(request.http), request.body, self._team
        team.limits.check_sign_in(principal.address)
        # Before the slow hash, so that a wrong code costs nothing; the transaction below uses the code up.
        team.read(lambda transaction: check_setup_code(transaction, wanted.code))
        password_hash = team.passwords.hash(wanted.password)

        def create(transaction: Transaction) -> tuple[User, str]:
            use_setup_code(transaction, wanted.code)
            user = create_user(
                transaction, email=wanted.email, name=wanted.name, password_hash=password_hash, is_server_admin=True
            )
            record(transaction, acting_as(principal, user), "server.setup", target=user.email)
            return user, open_session(transaction, team, principal, user, by="setup code")

        user, secret = team.write(create)
        return self._signed_in(request.http, user, secret)

    def _signed_in(self, http: HTTPConnection, user: User, secret: str) -> Response:
        response = json_response(self._info(user))
        set_cookie(response, http, secret)
        return response

    def _info(self, user: User | None) -> SessionInfo:
        def find(transaction: Transaction) -> SessionInfo:
            providers = [
                OidcItem(each.name, each.shown_label, f"/team/api/oidc/start?name={each.name}")
                for each in read_providers(transaction).values()
            ]
            needs_setup = user is None and not has_server_admin(transaction)
            return SessionInfo(user, needs_setup, providers, __version__)

        return self._team.read(find)


def open_session(transaction: Transaction, team: Team, principal: Principal, user: User, *, by: str) -> str:
    """Signs a user in, with a line in the audit log. Returns the secret for the cookie."""
    who = acting_as(principal, user)
    team.openings.forget(who)
    record(transaction, who, "session.start", target=user.email, by=by)
    return start_session(transaction, user.id, address=principal.address, now=team.clock())
