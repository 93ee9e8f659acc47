"""Rules: the role of a principal in a project, and the errors for those who lack it."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from seamark.plugin import RequestError
from seamark.team.access.principal import Principal, Role, User, has_role, lower_role, principal_of
from seamark.team.database import Transaction
from seamark.team.projects.project import Project, find_project


def role_in(transaction: Transaction, principal: Principal, project: Project) -> Role | None:
    """The highest role; None for those who may not know that the project exists."""
    role = role_without_public(transaction, principal, project)
    return "viewer" if role is None and project.is_public else role


def role_without_public(transaction: Transaction, principal: Principal, project: Project) -> Role | None:
    role = role_of_user(transaction, principal.user, project) if principal.user is not None else None
    token = principal.token
    if token is not None:
        if token.project_id not in (None, project.id):
            role = None
        elif principal.user is None:  # a service token
            role = token.scope if token.project_id == project.id else None
        else:
            role = lower_role(role, token.scope) if role is not None else None
    return role


def role_of_user(transaction: Transaction, user: User, project: Project) -> Role | None:
    if user.is_server_admin:
        return "admin"
    is_organisation_admin = transaction.row(
        "SELECT 1 FROM organisation_admins WHERE organisation_id = ? AND user_id = ?", project.organisation_id, user.id
    )
    if is_organisation_admin:
        return "admin"
    found = transaction.row("SELECT role FROM members WHERE project_id = ? AND user_id = ?", project.id, user.id)
    return found[0] if found else None


def project_for(
    transaction: Transaction, principal: Principal, organisation: str, name: str, wanted: Role
) -> tuple[Project, Role]:
    """The project and the role, which is at least `wanted`. Raises RequestError."""
    project = find_project(transaction, organisation, name)
    role = role_in(transaction, principal, project) if project is not None else None
    if project is None or role is None:
        if not principal.is_known:
            raise sign_in_first()
        # The same sentence for both, so that nobody learns which projects exist.
        raise RequestError(f"there is no project '{organisation}/{name}', or you are not a member", code="not_found")
    if not has_role(role, wanted):
        raise RequestError(
            f"this needs the role {wanted} in '{organisation}/{name}', you have {role}; ask an admin of the project",
            code="forbidden",
        )
    return project, role


def requested_project(
    transaction: Transaction, connection: HTTPConnection, wanted: Role, *, members_only: bool = False
) -> tuple[Project, Role]:
    """The project that the address names, for whoever asks. Raises RequestError.

    `members_only`: for what a public project does not show to everybody.
    """
    names, principal = connection.path_params, principal_of(connection)
    project, role = project_for(transaction, principal, names["organisation"], names["project"], wanted)
    if members_only and role_without_public(transaction, principal, project) is None:
        if not principal.is_known:
            raise sign_in_first()
        raise RequestError("this is for members of the project", code="forbidden")
    return project, role


def signed_in(principal: Principal) -> User:
    """The user of a browser session or of a personal token. Raises RequestError."""
    if principal.user is None and principal.token is not None:
        raise RequestError("a service token may not do this: it belongs to no user", code="forbidden")
    if principal.user is None:
        raise sign_in_first()
    return principal.user


def in_session(principal: Principal) -> User:
    """For what no token may do, as making tokens. Raises RequestError."""
    if principal.token is not None:
        raise RequestError("a token may not do this; sign in with a browser", code="forbidden")
    return signed_in(principal)


def server_admin(principal: Principal) -> User:
    user = in_session(principal)
    if not user.is_server_admin:
        raise RequestError("this needs an admin of the server", code="forbidden")
    return user


def sign_in_first() -> RequestError:
    return RequestError("sign in first, or send a token as Authorization: Bearer", code="unauthorized")
