"""Finds the project that a request below /projects/{organisation}/{project} is about."""

from __future__ import annotations

import msgspec
from starlette.requests import Request

from seamark.plugin import RequestError
from seamark.team.access.principal import Role, User, principal_of
from seamark.team.access.rules import project_for, role_in, signed_in
from seamark.team.database import Transaction
from seamark.team.projects.project import Project

PROJECT = "/projects/{organisation}/{project}"


def project_of(transaction: Transaction, request: Request, wanted: Role) -> Project:
    """Raises RequestError for those whose role is lower."""
    return project_and_role(transaction, request, wanted)[0]


def project_and_role(transaction: Transaction, request: Request, wanted: Role) -> tuple[Project, Role]:
    names = request.path_params
    return project_for(transaction, principal_of(request), names["organisation"], names["project"], wanted)


def member_project(
    transaction: Transaction, request: Request, wanted: Role = "viewer", *, changes: bool = False
) -> tuple[Project, User, Role]:
    """For what a project's own people say to each other: a visitor of a public project is none of them.

    Every member may say something, but no token that is for looking only.
    """
    principal = principal_of(request)
    project, role = project_and_role(transaction, request, wanted)
    user = signed_in(principal)
    if changes and principal.token is not None and principal.token.scope == "viewer":
        raise RequestError("this token is for looking only", code="forbidden")
    # As if the project were private: what makes them a member, also with a token that is for another project.
    if role_in(transaction, principal, msgspec.structs.replace(project, is_public=False)) is None:
        raise RequestError(f"only members of '{project.path}' may do this", code="forbidden")
    return project, user, role
