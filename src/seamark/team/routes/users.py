"""Routes of users, for admins of the server."""

from __future__ import annotations

import secrets

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, RequestStruct, ResponseStruct
from seamark.team.access.principal import Principal, User, principal_of
from seamark.team.access.rules import server_admin
from seamark.team.accounts.sessions import end_sessions_of
from seamark.team.accounts.users import has_server_admin, set_password, user_with_id
from seamark.team.database import Transaction
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record

TEMPORARY_BYTES = 12


class UserItem(ResponseStruct):
    id: str
    email: str
    name: str
    is_server_admin: bool
    is_disabled: bool
    created_at: float
    signs_in_by: list[str]  # password, oidc


class UserList(ResponseStruct):
    users: list[UserItem]


class UserChange(RequestStruct):
    disabled: bool | None = None
    is_server_admin: bool | None = None
    reset_password: bool = False


class ChangedUser(ResponseStruct):
    """`password` is a new one, shown this once."""

    user: UserItem
    password: str | None


def user_endpoints(team: Team) -> list[Endpoint]:
    routes = UserRoutes(team)
    return [
        Endpoint(path="/users", summary="All users, for admins of the server", handler=routes.list),
        Endpoint(
            path="/users/{id}",
            method="PATCH",
            summary="Disables or enables a user, makes an admin of the server, or sets a new password",
            handler=routes.change,
        ),
    ]


class UserRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> UserList:
        server_admin(principal_of(request.http))
        return UserList(self._team.read(all_users))

    def change(self, request: ParsedRequest[NoParameters, UserChange]) -> ChangedUser:
        principal, team = principal_of(request.http), self._team
        server_admin(principal)
        password = secrets.token_urlsafe(TEMPORARY_BYTES) if request.body.reset_password else None
        password_hash = team.passwords.hash(password) if password is not None else None
        user_id = request.http.path_params["id"]

        def change(transaction: Transaction) -> UserItem:
            user = user_with_id(transaction, user_id)
            change_user(transaction, principal, user, request.body, password_hash, now=team.clock())
            return next(item for item in all_users(transaction) if item.id == user.id)

        changed = team.write(change)
        team.identities.forget()
        return ChangedUser(changed, password)


def change_user(
    transaction: Transaction,
    principal: Principal,
    user: User,
    wanted: UserChange,
    password_hash: str | None,
    *,
    now: float,
) -> None:
    """Raises RequestError if the server would have no admin."""
    if wanted.disabled is not None:
        transaction.execute("UPDATE users SET disabled_at = ? WHERE id = ?", now if wanted.disabled else None, user.id)
        record(transaction, principal, "user.disable" if wanted.disabled else "user.enable", target=user.email)
    if wanted.is_server_admin is not None:
        transaction.execute("UPDATE users SET is_server_admin = ? WHERE id = ?", int(wanted.is_server_admin), user.id)
        record(transaction, principal, "user.admin", target=user.email, is_server_admin=wanted.is_server_admin)
    if password_hash is not None:
        set_password(transaction, user.id, password_hash)
        transaction.execute("DELETE FROM sign_in_failures WHERE subject = ?", f"account {user.email}")
        record(transaction, principal, "user.reset_password", target=user.email)
    if password_hash is not None or wanted.disabled:
        end_sessions_of(transaction, user.id)
    if not has_server_admin(transaction):
        raise RequestError("the server needs an admin; make somebody else admin first", code="conflict")


def all_users(transaction: Transaction) -> list[UserItem]:
    rows = transaction.rows(
        "SELECT id, email, name, is_server_admin, disabled_at, created_at, password_hash, oidc_subject "
        "FROM users ORDER BY email"
    )
    return [
        UserItem(
            user_id,
            email,
            name,
            bool(is_admin),
            disabled_at is not None,
            created_at,
            [way for way, value in (("password", password), ("oidc", subject)) if value is not None],
        )
        for user_id, email, name, is_admin, disabled_at, created_at, password, subject in rows
    ]
