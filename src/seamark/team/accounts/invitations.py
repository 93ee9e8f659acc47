"""The rows of invitations: a link that makes one person a member of a project."""

from __future__ import annotations

import msgspec

from seamark.plugin import RequestError
from seamark.team.access.principal import Role
from seamark.team.database import Transaction
from seamark.team.projects.project import Project, project_with_id
from seamark.team.secret_text import hash_secret, new_id, new_secret

DAY_SECS = 24 * 3600.0
MAX_DAYS = 90.0
MAX_OPEN = 500


class Invitation(msgspec.Struct, frozen=True):
    id: str
    role: Role
    created_at: float
    created_by: str
    expires_at: float


def open_invitations(transaction: Transaction, project_id: str, now: float) -> list[Invitation]:
    """Those that somebody can still accept."""
    rows = transaction.rows(
        "SELECT i.id, i.role, i.created_at, u.email, i.expires_at "
        "FROM invitations i JOIN users u ON u.id = i.created_by "
        "WHERE i.project_id = ? AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ? ORDER BY i.id DESC",
        project_id,
        now,
    )
    return [Invitation(*row) for row in rows]


def create_invitation(
    transaction: Transaction, project_id: str, role: Role, *, created_by: str, expires_days: float, now: float
) -> tuple[str, str]:
    """Returns the id and the code for the link. Raises RequestError."""
    if not 0 < expires_days <= MAX_DAYS:
        raise RequestError(f"expires_days is more than 0 and at most {MAX_DAYS:g}", code="invalid_parameter")
    if len(open_invitations(transaction, project_id, now)) >= MAX_OPEN:
        raise RequestError(f"there are {MAX_OPEN} open invitations already; revoke some first", code="conflict")
    invitation_id, code = new_id(), new_secret()
    transaction.execute(
        "INSERT INTO invitations (id, hash, project_id, role, created_by, created_at, expires_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        invitation_id,
        hash_secret(code),
        project_id,
        role,
        created_by,
        now,
        now + expires_days * DAY_SECS,
    )
    return invitation_id, code


def revoke_invitation(transaction: Transaction, project_id: str, invitation_id: str, now: float) -> None:
    """Raises RequestError."""
    revoked = transaction.execute(
        "UPDATE invitations SET revoked_at = ? "
        "WHERE id = ? AND project_id = ? AND revoked_at IS NULL AND used_at IS NULL",
        now,
        invitation_id,
        project_id,
    )
    if not revoked:
        raise RequestError("there is no such invitation, or it was used or revoked", code="not_found")


def find_invitation(transaction: Transaction, code: str, now: float) -> tuple[str, Project, Role]:
    """(id, project, role). Raises RequestError."""
    row = transaction.row(
        "SELECT id, project_id, role FROM invitations i "
        "WHERE hash = ? AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ? "
        # An invitation of somebody who has left or was locked out is worth nothing.
        "AND EXISTS (SELECT 1 FROM users u WHERE u.id = i.created_by AND u.disabled_at IS NULL)",
        hash_secret(code),
        now,
    )
    project = project_with_id(transaction, row[1]) if row else None
    if row is None or project is None:
        raise unknown_invitation()
    return row[0], project, row[2]


def use_invitation(transaction: Transaction, invitation_id: str, user_id: str, now: float) -> None:
    """Raises RequestError if somebody else was faster."""
    used = transaction.execute(
        "UPDATE invitations SET used_at = ?, used_by = ? WHERE id = ? AND used_at IS NULL AND revoked_at IS NULL",
        now,
        user_id,
        invitation_id,
    )
    if not used:
        raise unknown_invitation()


def unknown_invitation() -> RequestError:
    return RequestError("this invitation is unknown, expired, used or revoked; ask for a new one", code="not_found")
