"""The rows of members of a project."""

from __future__ import annotations

import msgspec

from seamark.plugin import RequestError
from seamark.team.access.principal import Role, has_role
from seamark.team.database import Transaction


class Member(msgspec.Struct, frozen=True):
    user_id: str
    email: str
    name: str
    role: Role


def members_of(transaction: Transaction, project_id: str) -> list[Member]:
    rows = transaction.rows(
        "SELECT u.id, u.email, u.name, m.role FROM members m JOIN users u ON u.id = m.user_id "
        "WHERE m.project_id = ? ORDER BY u.name, u.email",
        project_id,
    )
    return [Member(*row) for row in rows]


def role_of(transaction: Transaction, project_id: str, user_id: str) -> Role | None:
    row = transaction.row("SELECT role FROM members WHERE project_id = ? AND user_id = ?", project_id, user_id)
    return row[0] if row else None


def set_role(transaction: Transaction, project_id: str, user_id: str, role: Role | None) -> None:
    """None removes the member. Raises RequestError if the project would have no admin."""
    transaction.execute("DELETE FROM members WHERE project_id = ? AND user_id = ?", project_id, user_id)
    if role is not None:
        transaction.execute(
            "INSERT INTO members (project_id, user_id, role) VALUES (?, ?, ?)", project_id, user_id, role
        )
    if not transaction.row("SELECT 1 FROM members WHERE project_id = ? AND role = 'admin'", project_id):
        raise RequestError("a project needs an admin; make somebody else admin first", code="conflict")


def raise_role(transaction: Transaction, project_id: str, user_id: str, role: Role) -> Role:
    """Gives at least this role. Returns the role that the member has now."""
    held = role_of(transaction, project_id, user_id)
    if held is not None and has_role(held, role):
        return held
    transaction.execute("DELETE FROM members WHERE project_id = ? AND user_id = ?", project_id, user_id)
    transaction.execute("INSERT INTO members (project_id, user_id, role) VALUES (?, ?, ?)", project_id, user_id, role)
    return role
