"""Identities: finds the principal of a request by its session cookie, token or share link."""

from __future__ import annotations

import contextlib
import time

from seamark.team.access.principal import Principal, Token, User
from seamark.team.database import Database, DatabaseError, Transaction
from seamark.team.secret_text import TOKEN_PREFIX, hash_secret

# How long an answer is reused. A session or token that another process revoked is refused after this time.
REUSE_SECS = 2.0
MAX_REUSED = 10_000
USED_SECS = 60.0
USER_COLUMNS = "u.id, u.email, u.name, u.is_server_admin"


class Identities:
    """Any thread may call any method."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._found: dict[str, tuple[float, tuple[User | None, Token | None]]] = {}
        self._changes = 0
        self._used: dict[str, float] = {}

    def cached(self, secret: str) -> tuple[User | None, Token | None] | None:
        """Without a question to the database; None if it must be asked."""
        entry = self._found.get(hash_secret(secret))
        return entry[1] if entry is not None and entry[0] > time.monotonic() else None

    def find(self, secret: str) -> tuple[User | None, Token | None]:
        """(None, None) for a secret that is unknown, expired or revoked. Raises DatabaseError."""
        hashed = hash_secret(secret)
        find = find_by_token if secret.startswith(TOKEN_PREFIX) else find_by_session
        changes = self._changes
        found = self._database.read(lambda transaction: find(transaction, hashed, time.time()))
        if found[1] is not None:
            self._note_use(found[1].id)
        if len(self._found) >= MAX_REUSED:
            self._found.clear()
        if changes == self._changes:  # or it may be what a change has just ended
            self._found[hashed] = (time.monotonic() + REUSE_SECS, found)
        return found

    def _note_use(self, token_id: str) -> None:
        """Saves when a token was used last, to the minute."""
        now = time.monotonic()
        if self._used.get(token_id, float("-inf")) > now - USED_SECS:
            return
        self._used[token_id] = now
        with contextlib.suppress(DatabaseError):  # the use itself matters more
            self._database.write(
                lambda transaction: transaction.execute(
                    "UPDATE tokens SET used_at = ? WHERE id = ?", time.time(), token_id
                )
            )

    def forget(self) -> None:
        """To be called after a session, token or user was changed."""
        self._changes += 1
        self._found.clear()


def find_by_session(transaction: Transaction, hashed: str, now: float) -> tuple[User | None, Token | None]:
    row = transaction.row(
        f"SELECT {USER_COLUMNS} FROM sessions s JOIN users u ON u.id = s.user_id "
        "WHERE s.hash = ? AND s.expires_at > ? AND u.disabled_at IS NULL",
        hashed,
        now,
    )
    return (user_from(row), None) if row else (None, None)


def find_by_token(transaction: Transaction, hashed: str, now: float) -> tuple[User | None, Token | None]:
    row = transaction.row(
        f"SELECT t.id, t.name, t.scope, t.project_id, {USER_COLUMNS} "
        "FROM tokens t LEFT JOIN users u ON u.id = t.user_id JOIN users maker ON maker.id = t.created_by "
        "WHERE t.hash = ? AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ?) "
        "AND u.disabled_at IS NULL AND maker.disabled_at IS NULL",
        hashed,
        now,
    )
    if not row:
        return None, None
    token = Token(row[0], row[1], row[2], row[3])
    return (user_from(row[4:]) if row[4] is not None else None), token


def user_from(row: tuple[object, ...]) -> User:
    user_id, email, name, is_server_admin = row
    return User(str(user_id), str(email), str(name), bool(is_server_admin))


def principal_from(address: str, found: tuple[User | None, Token | None]) -> Principal:
    return Principal(address=address, user=found[0], token=found[1])
