"""Routes of one's own account: name, password, sessions."""

from __future__ import annotations

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.team.access.guard import is_secure, session_secret
from seamark.team.access.principal import User, principal_of
from seamark.team.access.rate_limits import too_many_requests
from seamark.team.access.rules import in_session
from seamark.team.accounts.failures import begin_attempt, forget_failures, subjects_of
from seamark.team.accounts.sessions import (
    Session,
    end_session_with_id,
    end_sessions_of,
    session_id,
    sessions_of,
)
from seamark.team.accounts.users import credentials_of, normal_name, set_password, user_with_id
from seamark.team.database import Transaction
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.secret_text import hash_secret
from seamark.team.team import Team, record


class ProfileChange(RequestStruct):
    name: str | None = None


class PasswordChange(RequestStruct):
    old: str
    new: str


class SessionItem(ResponseStruct):
    id: str
    created_at: float
    expires_at: float
    address: str
    is_current: bool


class SessionList(ResponseStruct):
    sessions: list[SessionItem]


class SessionsToEnd(RequestStruct):
    """One, or all but the one that asks."""

    id: str | None = None
    all: bool = False


class Ended(ResponseStruct):
    ended: int


def me_endpoints(team: Team) -> list[Endpoint]:
    routes = MeRoutes(team)
    return [
        Endpoint(
            path="/me",
            method="PATCH",
            summary="Changes your name",
            handler=routes.change,
        ),
        Endpoint(
            path="/me/password",
            method="POST",
            summary="Changes your password; your other sessions end",
            handler=routes.change_password,
        ),
        Endpoint(path="/me/sessions", summary="Where you are signed in", handler=routes.list),
        Endpoint(
            path="/me/sessions/end",
            method="POST",
            summary="Ends one of your sessions, or all others",
            handler=routes.end,
        ),
    ]


class MeRoutes(TeamRoutes):
    def change(self, request: ParsedRequest[NoParameters, ProfileChange]) -> User:
        principal, wanted = principal_of(request.http), request.body
        user = in_session(principal)

        def change(transaction: Transaction) -> User:
            if wanted.name is not None:
                name = normal_name(wanted.name)
                transaction.execute("UPDATE users SET name = ? WHERE id = ?", name, user.id)
                record(transaction, principal, "user.rename", target=user.email, name=name)
            return user_with_id(transaction, user.id)

        changed = self._team.write(change)
        self._team.identities.forget()
        return changed

    def change_password(self, request: ParsedRequest[NoParameters, PasswordChange]) -> Ended:
        principal, team = principal_of(request.http), self._team
        user = in_session(principal)
        wait = team.write(
            lambda transaction: begin_attempt(transaction, subjects_of(user.email, principal.address), team.clock())
        )
        if wait > 0:
            raise too_many_requests("too many wrong passwords", wait)
        found = team.read(lambda transaction: credentials_of(transaction, user.email))
        if found is None or not team.passwords.is_right(found[1], request.body.old):
            raise RequestError("the old password is wrong", code="forbidden")
        new_hash = team.passwords.hash(request.body.new)
        own = session_secret(request.http.headers, is_secure=is_secure(request.http))

        def change(transaction: Transaction) -> int:
            forget_failures(transaction, user.email, principal.address)
            set_password(transaction, user.id, new_hash)
            record(transaction, principal, "user.password", target=user.email)
            return end_sessions_of(transaction, user.id, except_secret=own)

        ended = team.write(change)
        team.identities.forget()
        return Ended(ended)

    def list(self, request: ParsedRequest[NoParameters, None]) -> SessionList:
        user = in_session(principal_of(request.http))
        own = session_id(hash_secret(session_secret(request.http.headers, is_secure=is_secure(request.http))))
        found = self._team.read(lambda transaction: sessions_of(transaction, user.id, self._team.clock()))
        return SessionList([session_item(session, own) for session in found])

    def end(self, request: ParsedRequest[NoParameters, SessionsToEnd]) -> Ended:
        principal, wanted, team = principal_of(request.http), request.body, self._team
        user = in_session(principal)
        if wanted.all == (wanted.id is not None):
            raise RequestError("want either the id of a session or all", code="invalid_parameter")
        own = session_secret(request.http.headers, is_secure=is_secure(request.http))

        def end(transaction: Transaction) -> int:
            if wanted.id is not None:
                ended = end_session_with_id(transaction, user.id, wanted.id)
            else:
                ended = end_sessions_of(transaction, user.id, except_secret=own)
            record(transaction, principal, "session.end", target=user.email, count=ended)
            return ended

        ended = team.write(end)
        team.identities.forget()
        return Ended(ended)


def session_item(session: Session, own: str) -> SessionItem:
    return SessionItem(session.id, session.created_at, session.expires_at, session.address, session.id == own)
