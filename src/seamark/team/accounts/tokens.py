"""The rows of tokens: personal ones, and those of programs that work in one project."""

from __future__ import annotations

import msgspec

from seamark.plugin import RequestError
from seamark.team.access.principal import Role
from seamark.team.database import Transaction
from seamark.team.database.database import Row
from seamark.team.secret_text import TOKEN_PREFIX, hash_secret, new_id, new_secret

MAX_NAME = 100
MAX_PER_OWNER = 200
DAY_SECS = 24 * 3600.0
MAX_DAYS = 3650.0
COLUMNS = (
    "t.id, t.name, t.scope, o.name, p.name, t.created_at, maker.email, t.expires_at, t.used_at "
    "FROM tokens t JOIN users maker ON maker.id = t.created_by LEFT JOIN projects p ON p.id = t.project_id "
    "LEFT JOIN organisations o ON o.id = p.organisation_id"
)


class TokenItem(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    scope: Role
    project: str | None  # None: every project of its user
    created_at: float
    created_by: str
    expires_at: float | None
    used_at: float | None


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for. `user_id` None: a service token."""

    name: str
    scope: Role
    user_id: str | None
    project_id: str | None
    created_by: str
    expires_days: float | None


def create_token(transaction: Transaction, wanted: NewToken, now: float) -> tuple[TokenItem, str]:
    """The row and the token itself, which is not stored. Raises RequestError."""
    name = " ".join(wanted.name.split())
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        raise RequestError(f"a name of a token has 1 to {MAX_NAME} printable characters", code="invalid_parameter")
    if wanted.expires_days is not None and not 0 < wanted.expires_days <= MAX_DAYS:
        sentence = f"expires_days is more than 0 and at most {MAX_DAYS:g}; leave it out for a token without an end"
        raise RequestError(sentence, code="invalid_parameter")
    if wanted.user_id is not None:
        held = len(personal_tokens(transaction, wanted.user_id))
    else:
        held = len(service_tokens(transaction, wanted.project_id or ""))
    if held >= MAX_PER_OWNER:
        raise RequestError(f"there are {MAX_PER_OWNER} tokens already; revoke some first", code="conflict")
    secret, token_id = new_secret(TOKEN_PREFIX), new_id()
    transaction.execute(
        "INSERT INTO tokens (id, hash, name, user_id, project_id, scope, created_at, created_by, expires_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        token_id,
        hash_secret(secret),
        name,
        wanted.user_id,
        wanted.project_id,
        wanted.scope,
        now,
        wanted.created_by,
        now + wanted.expires_days * DAY_SECS if wanted.expires_days is not None else None,
    )
    row = transaction.row(f"SELECT {COLUMNS} WHERE t.id = ?", token_id)
    assert row is not None
    return item_from(row), secret


def personal_tokens(transaction: Transaction, user_id: str) -> list[TokenItem]:
    rows = transaction.rows(
        f"SELECT {COLUMNS} WHERE t.user_id = ? AND t.revoked_at IS NULL ORDER BY t.id DESC", user_id
    )
    return [item_from(row) for row in rows]


def service_tokens(transaction: Transaction, project_id: str) -> list[TokenItem]:
    rows = transaction.rows(
        f"SELECT {COLUMNS} WHERE t.user_id IS NULL AND t.project_id = ? AND t.revoked_at IS NULL ORDER BY t.id DESC",
        project_id,
    )
    return [item_from(row) for row in rows]


def revoke_personal(transaction: Transaction, user_id: str, token_id: str, now: float) -> str:
    """Returns the name. Raises RequestError."""
    return revoke(transaction, "t.user_id = ?", user_id, token_id, now)


def revoke_service(transaction: Transaction, project_id: str, token_id: str, now: float) -> str:
    """Returns the name. Raises RequestError."""
    return revoke(transaction, "t.user_id IS NULL AND t.project_id = ?", project_id, token_id, now)


def revoke(transaction: Transaction, condition: str, owner: str, token_id: str, now: float) -> str:
    row = transaction.row(
        f"SELECT t.name FROM tokens t WHERE t.id = ? AND t.revoked_at IS NULL AND {condition}", token_id, owner
    )
    if row is None:
        raise RequestError("there is no such token, or it is revoked already", code="not_found")
    transaction.execute("UPDATE tokens SET revoked_at = ? WHERE id = ?", now, token_id)
    return str(row[0])


def item_from(row: Row) -> TokenItem:
    token_id, name, scope, organisation, project, created_at, created_by, expires_at, used_at = row
    return TokenItem(
        id=token_id,
        name=name,
        scope=scope,
        project=f"{organisation}/{project}" if project else None,
        created_at=created_at,
        created_by=created_by,
        expires_at=expires_at,
        used_at=used_at,
    )
