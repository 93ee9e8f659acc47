"""The rows of organisations and projects."""

from __future__ import annotations

import re
import time

import msgspec

from seamark.plugin import RequestError
from seamark.team.database import Transaction
from seamark.team.database.database import ConflictError, Row
from seamark.team.secret_text import new_id

# Part of an address and of a folder name.
NAME_PATTERN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
COLUMNS = "p.id, p.organisation_id, o.name, p.name, p.is_public, p.quota_bytes, p.created_at"
FROM = "FROM projects p JOIN organisations o ON o.id = p.organisation_id"


class Project(msgspec.Struct, frozen=True):
    id: str
    organisation_id: str
    organisation: str
    name: str
    is_public: bool
    quota_bytes: int | None
    created_at: float

    @property
    def path(self) -> str:
        """What follows /p/ in addresses."""
        return f"{self.organisation}/{self.name}"


def find_project(transaction: Transaction, organisation: str, name: str) -> Project | None:
    row = transaction.row(
        f"SELECT {COLUMNS} {FROM} WHERE o.name = ? AND p.name = ? AND p.deleted_at IS NULL", organisation, name
    )
    return from_row(row) if row else None


def project_with_id(transaction: Transaction, project_id: str) -> Project | None:
    row = transaction.row(f"SELECT {COLUMNS} {FROM} WHERE p.id = ? AND p.deleted_at IS NULL", project_id)
    return from_row(row) if row else None


def all_projects(transaction: Transaction) -> list[Project]:
    rows = transaction.rows(f"SELECT {COLUMNS} {FROM} WHERE p.deleted_at IS NULL ORDER BY o.name, p.name")
    return [from_row(row) for row in rows]


def from_row(row: Row) -> Project:
    project_id, organisation_id, organisation, name, is_public, quota, created = row
    return Project(project_id, organisation_id, organisation, name, bool(is_public), quota, created)


def create_project(transaction: Transaction, organisation: str, name: str, *, creator: str) -> Project:
    """Creates the organisation as well if there is none. The creator becomes admin. Raises RequestError."""
    check_name("organisation", organisation)
    check_name("project", name)
    found = transaction.row("SELECT id FROM organisations WHERE name = ?", organisation)
    organisation_id = found[0] if found else new_id()
    if not found:
        transaction.execute("INSERT INTO organisations VALUES (?, ?, ?)", organisation_id, organisation, time.time())
        transaction.execute("INSERT INTO organisation_admins VALUES (?, ?)", organisation_id, creator)
    project_id = new_id()
    try:
        transaction.execute(
            "INSERT INTO projects (id, organisation_id, name, created_at) VALUES (?, ?, ?, ?)",
            project_id,
            organisation_id,
            name,
            time.time(),
        )
    except ConflictError:
        raise RequestError(f"there is a project '{organisation}/{name}' already", code="conflict") from None
    transaction.execute("INSERT INTO members VALUES (?, ?, ?)", project_id, creator, "admin")
    created = project_with_id(transaction, project_id)
    assert created is not None
    return created


def check_name(what: str, name: str) -> None:
    if not NAME_PATTERN.fullmatch(name):
        raise RequestError(
            f"a name of a {what} has 1 to 64 characters out of a-z, 0-9, - and _, and begins and ends with a letter "
            f"or digit; got '{name}'",
            code="invalid_parameter",
        )
