"""The one-time code with which the first admin signs up. `seamark team serve` prints it."""

from __future__ import annotations

import hmac
import secrets

from seamark.plugin import RequestError
from seamark.team.accounts.users import has_server_admin
from seamark.team.database import Transaction
from seamark.team.secret_text import hash_secret

NAME = "setup_code_hash"
# Without characters that look alike; 20 of them are 98 bits.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP_CHARACTERS = 4, 5


def new_setup_code(transaction: Transaction) -> str | None:
    """A new code, which replaces the one before; None if there is an admin."""
    transaction.execute("DELETE FROM server_values WHERE name = ?", NAME)
    if has_server_admin(transaction):
        return None
    code = "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP_CHARACTERS)) for _ in range(GROUPS))
    transaction.execute("INSERT INTO server_values (name, value) VALUES (?, ?)", NAME, hash_secret(code))
    return code


def check_setup_code(transaction: Transaction, code: str) -> None:
    """Raises RequestError if it is wrong, or was used."""
    found = transaction.row("SELECT value FROM server_values WHERE name = ?", NAME)
    is_right = found is not None and hmac.compare_digest(hash_code(code), found[0])
    if not is_right or has_server_admin(transaction):
        raise wrong_code()


def use_setup_code(transaction: Transaction, code: str) -> None:
    """Raises RequestError if it is wrong, or was used. Nobody can use it again."""
    check_setup_code(transaction, code)
    # Another process may have used it since.
    if not transaction.execute("DELETE FROM server_values WHERE name = ? AND value = ?", NAME, hash_code(code)):
        raise wrong_code()


def hash_code(code: str) -> str:
    return hash_secret(code.strip().lower())


def wrong_code() -> RequestError:
    return RequestError(
        "this code is wrong or was used; seamark team serve prints a new one at its start while there is no admin",
        code="forbidden",
    )
