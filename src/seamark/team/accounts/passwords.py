"""Passwords: argon2 hashes, made and checked a few at a time."""

from __future__ import annotations

import threading

import argon2

from seamark.plugin import RequestError

MIN_CHARACTERS = 10
MAX_CHARACTERS = 500
# Each takes 64 MB and 0.1 s of a core: more at once would let anybody exhaust the machine by signing in.
MAX_AT_ONCE = 2


class Passwords:
    """Any thread may call any method. The costs are those of RFC 9106 for machines with little memory."""

    def __init__(self, hasher: argon2.PasswordHasher | None = None) -> None:
        self._hasher = hasher or argon2.PasswordHasher()
        self._turns = threading.Semaphore(MAX_AT_ONCE)
        self._unknown = self._hasher.hash("the password of nobody")

    def hash(self, password: str) -> str:
        """Raises RequestError for a password that is too short or too long."""
        check_password(password)
        with self._turns:
            return self._hasher.hash(password)

    def is_right(self, hashed: str | None, password: str) -> bool:
        """Takes as long without a hash, so that the time does not tell which accounts exist."""
        with self._turns:
            try:
                return self._hasher.verify(hashed or self._unknown, password[:MAX_CHARACTERS]) and hashed is not None
            except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
                return False


def check_password(password: str) -> None:
    if not MIN_CHARACTERS <= len(password) <= MAX_CHARACTERS:
        raise RequestError(
            f"a password has {MIN_CHARACTERS} to {MAX_CHARACTERS} characters, this one has {len(password)}",
            code="invalid_parameter",
        )
