"""The rows of shares, and which of them somebody may open."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import msgspec

from seamark.plugin import RequestError, not_found
from seamark.team.access.principal import Principal
from seamark.team.access.rules import role_of_user
from seamark.team.database import Transaction
from seamark.team.database.database import Row
from seamark.team.projects.project import project_with_id
from seamark.team.projects.run_files import is_run_name
from seamark.team.secret_text import hash_secret, new_id, new_secret

COLUMNS = (
    "s.id, s.project_id, s.name, s.runs, s.view, s.password_hash, s.is_public, s.created_by, s.created_at, "
    "s.expires_at, s.revoked_at"
)
ID_PATTERN = re.compile(r"[0-9a-f]{24}")
MAX_RUNS = 10_000


class ShareRow(msgspec.Struct, frozen=True):
    """`runs` None: every run of the project, also later ones. `view`: the part of the address behind #."""

    id: str
    project_id: str
    name: str
    runs: tuple[str, ...] | None
    view: str
    password_hash: str | None
    is_public: bool
    created_by: str
    created_at: float
    expires_at: float | None
    revoked_at: float | None

    def is_open_at(self, now: float) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


class NewShare(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    runs: tuple[str, ...] | None
    view: str
    password_hash: str | None
    is_public: bool
    expires_at: float | None
    members: Sequence[str]


def create_share(
    transaction: Transaction, project_id: str, wanted: NewShare, *, creator: str, now: float
) -> tuple[str, str]:
    """Returns its id and the secret of its link, which is not stored. Raises RequestError."""
    share_id, secret = new_id(), new_secret()
    transaction.execute(
        "INSERT INTO shares (id, hash, project_id, name, runs, view, password_hash, is_public, created_by, "
        "created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        share_id,
        hash_secret(secret),
        project_id,
        wanted.name,
        json.dumps(wanted.runs),
        wanted.view,
        wanted.password_hash,
        int(wanted.is_public),
        creator,
        now,
        wanted.expires_at,
    )
    for user_id in dict.fromkeys(wanted.members):
        if transaction.row("SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL", user_id) is None:
            raise not_found(f"there is no user '{user_id}'")
        transaction.execute("INSERT INTO share_members VALUES (?, ?)", share_id, user_id)
    return share_id, secret


def share_with_id(transaction: Transaction, share_id: str) -> ShareRow | None:
    row = transaction.row(f"SELECT {COLUMNS} FROM shares s WHERE s.id = ?", share_id)
    return from_row(row) if row else None


def shares_of_project(transaction: Transaction, project_id: str) -> list[ShareRow]:
    rows = transaction.rows(f"SELECT {COLUMNS} FROM shares s WHERE s.project_id = ? ORDER BY s.id DESC", project_id)
    return [from_row(row) for row in rows]


def shares_for_user(transaction: Transaction, user_id: str, now: float) -> list[ShareRow]:
    rows = transaction.rows(
        f"SELECT {COLUMNS} FROM shares s JOIN share_members m ON m.share_id = s.id WHERE m.user_id = ? "
        "ORDER BY s.id DESC",
        user_id,
    )
    return [share for share in map(from_row, rows) if share.is_open_at(now)]


def public_shares(transaction: Transaction, now: float) -> list[ShareRow]:
    rows = transaction.rows(f"SELECT {COLUMNS} FROM shares s WHERE s.is_public = 1 ORDER BY s.id DESC")
    return [share for share in map(from_row, rows) if share.is_open_at(now)]


def members_of(transaction: Transaction, share_id: str) -> list[str]:
    return [
        user_id for (user_id,) in transaction.rows("SELECT user_id FROM share_members WHERE share_id = ?", share_id)
    ]


def revoke_share(transaction: Transaction, project_id: str, share_id: str, now: float) -> None:
    changed = transaction.execute(
        "UPDATE shares SET revoked_at = ? WHERE id = ? AND project_id = ? AND revoked_at IS NULL",
        now,
        share_id,
        project_id,
    )
    if not changed:
        raise not_found(f"the project has no open share '{share_id}'")


def find_opened(transaction: Transaction, principal: Principal, key: str, now: float) -> tuple[ShareRow, bool]:
    """The share that somebody may open by this part of an address, and whether it asks them for its password.

    The key is the secret of a link; or the id of a share, for those it is shared with and, if it is public, everybody.
    Raises RequestError, with one sentence for all that cannot be opened.
    """
    row = transaction.row(f"SELECT {COLUMNS} FROM shares s WHERE s.hash = ?", hash_secret(key))
    share = from_row(row) if row else None
    if share is None and ID_PATTERN.fullmatch(key):
        share = share_with_id(transaction, key)
        if share is not None and not (share.is_public or is_for(transaction, share, principal)):
            share = None
    if share is None or not share.is_open_at(now) or project_with_id(transaction, share.project_id) is None:
        raise not_found("this link does not exist, has expired or was revoked; ask whoever sent it for a new one")
    return share, share.password_hash is not None and not is_for(transaction, share, principal)


def is_for(transaction: Transaction, share: ShareRow, principal: Principal) -> bool:
    """Whether they are named in the share, or have a role in its project. A token for another project has neither."""
    user, token = principal.user, principal.token
    if user is None or (token is not None and token.project_id not in (None, share.project_id)):
        return False
    if transaction.row("SELECT 1 FROM share_members WHERE share_id = ? AND user_id = ?", share.id, user.id):
        return True
    project = project_with_id(transaction, share.project_id)
    return project is not None and role_of_user(transaction, user, project) is not None


def from_row(row: Row) -> ShareRow:
    share_id, project_id, name, runs_json, view, password_hash, is_public, *rest = row
    runs = json.loads(runs_json)
    return ShareRow(
        share_id,
        project_id,
        name,
        None if runs is None else tuple(runs),
        view,
        password_hash,
        bool(is_public),
        *rest,
    )


def checked_runs(runs: Sequence[str]) -> tuple[str, ...]:
    """Raises RequestError for a name that cannot be the name of a run."""
    if not runs:
        raise RequestError("want at least one run to share, or null for every run", code="invalid_parameter")
    if len(runs) > MAX_RUNS:
        raise RequestError(f"at most {MAX_RUNS:,} runs can be shared at once, got {len(runs):,}", code="too_large")
    for run in runs:
        if not is_run_name(run):
            raise RequestError(f"this is not the name of a run: '{run[:200]}'", code="invalid_parameter")
    return tuple(dict.fromkeys(runs))
