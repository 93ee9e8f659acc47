"""Reads the audit log: pages of it, newest first, and all of it for an export."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

import msgspec

from seamark.team.database import Database, Transaction

PAGE = 100
EXPORT_PAGE = 1000
COLUMNS = "a.id, a.happened_at, a.action, a.user_email, a.via, a.address, o.name, p.name, a.target, a.details"
FROM = "FROM audit a LEFT JOIN projects p ON p.id = a.project_id LEFT JOIN organisations o ON o.id = p.organisation_id"


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    happened_at: float
    action: str
    user_email: str
    via: str
    address: str
    project: str  # "" if it is about none, or about one that is gone
    target: str
    details: dict[str, Any]


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """`action` run also finds run.delete; `user` is an email; `before` the id of an entry."""

    project_id: str | None = None
    before: str = ""
    action: str = ""
    user: str = ""


def read_entries(transaction: Transaction, wanted: AuditFilter, *, limit: int = PAGE) -> list[AuditEntry]:
    conditions, parameters = ["1 = 1"], list[Any]()
    if wanted.project_id is not None:
        conditions.append("a.project_id = ?")
        parameters.append(wanted.project_id)
    if wanted.before:
        conditions.append("a.id < ?")
        parameters.append(wanted.before)
    if wanted.action:
        conditions.append("(a.action = ? OR substr(a.action, 1, ?) = ?)")
        parameters += [wanted.action, len(wanted.action) + 1, f"{wanted.action}."]
    if wanted.user:
        conditions.append("a.user_email = ?")
        parameters.append(wanted.user.strip().lower())
    rows = transaction.rows(
        f"SELECT {COLUMNS} {FROM} WHERE {' AND '.join(conditions)} ORDER BY a.id DESC LIMIT {int(limit)}", *parameters
    )
    return [entry_from(row) for row in rows]


def entry_from(row: tuple[Any, ...]) -> AuditEntry:
    entry_id, happened_at, action, email, via, address, organisation, project, target, details = row
    return AuditEntry(
        id=entry_id,
        happened_at=happened_at,
        action=action,
        user_email=email,
        via=via,
        address=address,
        project=f"{organisation}/{project}" if project else "",
        target=target,
        details=json.loads(details),
    )


def all_entries(database: Database, wanted: AuditFilter) -> Iterator[list[AuditEntry]]:
    """Page by page, each in a transaction of its own: an export of years holds up nobody."""
    while True:
        page = database.read(functools.partial(read_entries, wanted=wanted, limit=EXPORT_PAGE))
        if not page:
            return
        yield page
        wanted = msgspec.structs.replace(wanted, before=page[-1].id)
