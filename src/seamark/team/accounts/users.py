"""The rows of users."""

from __future__ import annotations

import re
import time

from seamark.plugin import RequestError
from seamark.team.access.identities import USER_COLUMNS, user_from
from seamark.team.access.principal import User
from seamark.team.database import Transaction
from seamark.team.database.database import ConflictError
from seamark.team.secret_text import new_id

MAX_EMAIL, MAX_NAME = 254, 100
EMAIL_PATTERN = re.compile(r"[^@\s\x00-\x1f\x7f<>\"]+@[^@\s\x00-\x1f\x7f<>\"]+")


def normal_email(email: str) -> str:
    """As it is stored. Raises RequestError."""
    normal = email.strip().lower()
    if len(normal) > MAX_EMAIL or not EMAIL_PATTERN.fullmatch(normal):
        raise RequestError("want an email address such as ada@example.org", code="invalid_parameter")
    return normal


def normal_name(name: str) -> str:
    """Raises RequestError."""
    normal = " ".join(name.split())
    if not 1 <= len(normal) <= MAX_NAME or not normal.isprintable():
        raise RequestError(f"a name has 1 to {MAX_NAME} printable characters", code="invalid_parameter")
    return normal


def create_user(
    transaction: Transaction,
    *,
    email: str,
    name: str,
    password_hash: str | None,
    is_server_admin: bool = False,
    oidc: tuple[str, str] | None = None,
) -> User:
    """`oidc` is (issuer, subject). Raises RequestError."""
    user = User(new_id(), normal_email(email), normal_name(name), is_server_admin)
    issuer, subject = oidc or (None, None)
    try:
        transaction.execute(
            "INSERT INTO users "
            "(id, email, name, password_hash, oidc_issuer, oidc_subject, is_server_admin, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            user.id,
            user.email,
            user.name,
            password_hash,
            issuer,
            subject,
            int(is_server_admin),
            time.time(),
        )
    except ConflictError:
        raise RequestError(f"there is an account for '{user.email}' already; sign in", code="conflict") from None
    return user


def user_with_email(transaction: Transaction, email: str) -> User | None:
    row = transaction.row(f"SELECT {USER_COLUMNS} FROM users u WHERE u.email = ?", email)
    return user_from(row) if row else None


def user_with_id(transaction: Transaction, user_id: str) -> User:
    """Raises RequestError."""
    row = transaction.row(f"SELECT {USER_COLUMNS} FROM users u WHERE u.id = ?", user_id)
    if not row:
        raise RequestError("there is no such user", code="not_found")
    return user_from(row)


def credentials_of(transaction: Transaction, email: str) -> tuple[User, str | None] | None:
    """An enabled user and the hash of the password."""
    row = transaction.row(
        f"SELECT {USER_COLUMNS}, u.password_hash FROM users u WHERE u.email = ? AND u.disabled_at IS NULL", email
    )
    return (user_from(row[:4]), row[4]) if row else None


def has_server_admin(transaction: Transaction) -> bool:
    return transaction.row("SELECT 1 FROM users WHERE is_server_admin = 1 AND disabled_at IS NULL") is not None


def set_password(transaction: Transaction, user_id: str, password_hash: str) -> None:
    transaction.execute("UPDATE users SET password_hash = ? WHERE id = ?", password_hash, user_id)
