"""Sessions of browsers: their rows and their cookie."""

from __future__ import annotations

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response

from seamark.team.access.guard import SECURE_SESSION_COOKIE, SESSION_COOKIE, is_secure
from seamark.team.database import Transaction
from seamark.team.secret_text import hash_secret, new_secret

SESSION_SECS = 30 * 24 * 3600.0
# As many characters of a hash as name a session in lists.
ID_CHARACTERS = 16


class Session(msgspec.Struct, frozen=True):
    id: str
    created_at: float
    expires_at: float
    address: str


def start_session(transaction: Transaction, user_id: str, *, address: str, now: float) -> str:
    """Returns the secret for the cookie."""
    secret = new_secret()
    transaction.execute("DELETE FROM sessions WHERE expires_at < ?", now)
    transaction.execute(
        "INSERT INTO sessions (hash, user_id, created_at, expires_at, address) VALUES (?, ?, ?, ?, ?)",
        hash_secret(secret),
        user_id,
        now,
        now + SESSION_SECS,
        address,
    )
    return secret


def sessions_of(transaction: Transaction, user_id: str, now: float) -> list[Session]:
    rows = transaction.rows(
        "SELECT hash, created_at, expires_at, address FROM sessions WHERE user_id = ? AND expires_at > ? "
        "ORDER BY created_at DESC",
        user_id,
        now,
    )
    return [Session(session_id(row[0]), *row[1:]) for row in rows]


def session_id(hashed: str) -> str:
    return hashed[:ID_CHARACTERS]


def end_session(transaction: Transaction, secret: str) -> None:
    transaction.execute("DELETE FROM sessions WHERE hash = ?", hash_secret(secret))


def end_session_with_id(transaction: Transaction, user_id: str, wanted: str) -> int:
    """Returns how many sessions ended: 0 or 1."""
    return transaction.execute(
        f"DELETE FROM sessions WHERE user_id = ? AND substr(hash, 1, {ID_CHARACTERS}) = ?", user_id, wanted
    )


def end_sessions_of(transaction: Transaction, user_id: str, *, except_secret: str = "") -> int:
    return transaction.execute(
        "DELETE FROM sessions WHERE user_id = ? AND hash <> ?", user_id, hash_secret(except_secret)
    )


def set_cookie(response: Response, connection: HTTPConnection, secret: str) -> None:
    """Lax, not strict: a link in a message leads to a page that is signed in."""
    secure = is_secure(connection)
    response.set_cookie(
        SECURE_SESSION_COOKIE if secure else SESSION_COOKIE,
        secret,
        max_age=int(SESSION_SECS),
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def delete_cookie(response: Response, connection: HTTPConnection) -> None:
    secure = is_secure(connection)
    name = SECURE_SESSION_COOKIE if secure else SESSION_COOKIE
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")
