"""The rows of reports: every save is a version, and no version is ever changed."""

from __future__ import annotations

import msgspec

from seamark.plugin import RequestError, not_found
from seamark.team.database import Transaction
from seamark.team.secret_text import new_id

COLUMNS = "r.id, v.version, v.title, v.body, v.author_id, u.name, v.saved_at, r.created_by, r.created_at"
FROM = (
    "FROM reports r JOIN report_versions v ON v.report_id = r.id JOIN users u ON u.id = v.author_id "
    "WHERE r.project_id = ? AND r.deleted_at IS NULL"
)
NEWEST = "v.version = (SELECT MAX(w.version) FROM report_versions w WHERE w.report_id = r.id)"


class Report(msgspec.Struct, frozen=True):
    """One version of a report."""

    id: str
    version: int
    title: str
    body: str
    author_id: str
    author: str
    saved_at: float
    created_by: str
    created_at: float


def create_report(
    transaction: Transaction, project_id: str, *, title: str, body: str, author: str, now: float
) -> Report:
    report_id = new_id()
    transaction.execute(
        "INSERT INTO reports (id, project_id, created_by, created_at) VALUES (?, ?, ?, ?)",
        *(report_id, project_id, author, now),
    )
    add_version(transaction, report_id, 1, title=title, body=body, author=author, now=now)
    return find_report(transaction, project_id, report_id)


def save_report(
    transaction: Transaction,
    project_id: str,
    report_id: str,
    *,
    version: int,
    title: str,
    body: str,
    author: str,
    now: float,
) -> Report:
    """Adds a version after `version`. Raises RequestError if somebody else did so meanwhile."""
    current = find_report(transaction, project_id, report_id)
    if current.version != version:
        raise RequestError(
            f"{current.author} changed the report meanwhile: it has version {current.version}, yours is {version}",
            code="conflict",
            details={"version": current.version, "title": current.title, "body": current.body},
        )
    add_version(transaction, report_id, version + 1, title=title, body=body, author=author, now=now)
    return find_report(transaction, project_id, report_id)


def add_version(
    transaction: Transaction, report_id: str, version: int, *, title: str, body: str, author: str, now: float
) -> None:
    transaction.execute(
        "INSERT INTO report_versions VALUES (?, ?, ?, ?, ?, ?)", *(report_id, version, title, body, author, now)
    )


def find_report(transaction: Transaction, project_id: str, report_id: str, version: int | None = None) -> Report:
    """The newest version, or an earlier one. Raises RequestError."""
    where, parameters = (NEWEST, ()) if version is None else ("v.version = ?", (version,))
    row = transaction.row(f"SELECT {COLUMNS} {FROM} AND r.id = ? AND {where}", project_id, report_id, *parameters)
    if row is None:
        which = "" if version is None else f" with version {version}"
        raise not_found(f"the project has no report '{report_id[:100]}'{which}")
    return Report(*row)


def list_reports(transaction: Transaction, project_id: str) -> list[Report]:
    """The newest versions, the last one saved first."""
    rows = transaction.rows(f"SELECT {COLUMNS} {FROM} AND {NEWEST} ORDER BY v.saved_at DESC", project_id)
    return [Report(*row) for row in rows]


def list_versions(transaction: Transaction, project_id: str, report_id: str) -> list[Report]:
    """All versions, the newest first. Raises RequestError."""
    rows = transaction.rows(f"SELECT {COLUMNS} {FROM} AND r.id = ? ORDER BY v.version DESC", project_id, report_id)
    if not rows:
        raise not_found(f"the project has no report '{report_id[:100]}'")
    return [Report(*row) for row in rows]


def delete_report(transaction: Transaction, report: Report) -> None:
    transaction.execute("DELETE FROM reports WHERE id = ?", report.id)
