"""Accepting an invitation, whatever way somebody signs in by."""

from __future__ import annotations

from seamark.team.access.principal import Principal, Role, User
from seamark.team.accounts.invitations import find_invitation, use_invitation
from seamark.team.accounts.members import raise_role
from seamark.team.audit.record import acting_as, record
from seamark.team.database import Transaction
from seamark.team.projects.project import Project


def join_project(
    transaction: Transaction, principal: Principal, user: User, code: str, *, now: float
) -> tuple[Project, Role]:
    """Uses up the invitation. Returns the project and the role that the user has in it now. Raises RequestError."""
    invitation_id, project, role = find_invitation(transaction, code, now)
    use_invitation(transaction, invitation_id, user.id, now)
    held = raise_role(transaction, project.id, user.id, role)
    who = acting_as(principal, user)
    record(transaction, who, "invitation.accept", project_id=project.id, target=user.email, role=held)
    return project, held
