"""Lease: which of several processes of a team server does a task. Nobody's clock matters but one's own.

The holder counts up a number in the database. Another process takes over when it has seen the same number for a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from seamark.team.database import Database, DatabaseError, Transaction
from seamark.team.database.database import ConflictError
from seamark.team.secret_text import new_id

RENEW_SECS = 2.0
TAKE_OVER_SECS = 12.0


class Lease(Protocol):
    """One thread uses it."""

    def hold(self) -> bool:
        """Takes or renews it. To be called every RENEW_SECS."""

    def release(self) -> None: ...


class SoleLease:
    """Of a server that is one process."""

    def hold(self) -> bool:
        return True

    def release(self) -> None:
        pass


class DatabaseLease:
    def __init__(self, database: Database, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._name = name
        self._clock = clock
        self._holder = new_id()
        self._seen: tuple[str, int] = ("", -1)
        self._seen_at = 0.0
        self._renewed_at = float("-inf")

    def hold(self) -> bool:
        """While the database is away, the holder goes on for a shorter time than others wait."""
        now = self._clock()
        try:
            is_held = self._database.write(lambda transaction: self._renew(transaction, now))
        except (DatabaseError, ConflictError):
            return now - self._renewed_at < TAKE_OVER_SECS / 2
        self._renewed_at = now if is_held else float("-inf")
        return is_held

    def release(self) -> None:
        with suppress(DatabaseError):  # then others wait until it has expired
            self._database.write(
                lambda transaction: transaction.execute(
                    "UPDATE leases SET holder = '' WHERE name = ? AND holder = ?", self._name, self._holder
                )
            )

    def _renew(self, transaction: Transaction, now: float) -> bool:
        row = transaction.row("SELECT holder, beat FROM leases WHERE name = ?", self._name)
        if row is None:
            transaction.execute("INSERT INTO leases (name, holder, beat) VALUES (?, ?, 0)", self._name, self._holder)
            return True
        holder, beat = str(row[0]), int(row[1])
        if holder not in (self._holder, "") and not self._is_expired((holder, beat), now):
            return False
        return (
            transaction.execute(
                "UPDATE leases SET holder = ?, beat = ? WHERE name = ? AND holder = ? AND beat = ?",
                *(self._holder, beat + 1, self._name, holder, beat),
            )
            == 1
        )

    def _is_expired(self, found: tuple[str, int], now: float) -> bool:
        if found != self._seen:
            self._seen, self._seen_at = found, now
        return now - self._seen_at >= TAKE_OVER_SECS
