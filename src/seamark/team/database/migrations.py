"""Migrations: the files in schema/, each applied once, in the order of their names, when a server starts."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Collection
from pathlib import Path

from seamark.team.database.database import Database, DatabaseError, Transaction

LOG = logging.getLogger(__name__)
SCHEMA = Path(__file__).parent / "schema"
# Of PostgreSQL's advisory lock: any number that no other program uses.
LOCK_NUMBER = 0x5EA3A2C
KNOWN = "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at DOUBLE PRECISION NOT NULL)"


def all_migrations() -> dict[str, str]:
    """Name → SQL, in order."""
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(SCHEMA.glob("*.sql"))}


def migrate(database: Database, *, only: Collection[str] | None = None) -> list[str]:
    """Applies what is missing, or what of `only` is missing, and returns the names. Raises DatabaseError.

    All in one transaction: a migration that fails leaves the database as it was.
    """
    migrations = {name: sql for name, sql in all_migrations().items() if only is None or name in only}

    def apply(transaction: Transaction) -> list[str]:
        if database.dialect == "postgresql":  # two servers may start at the same time, before there is any table
            transaction.rows("SELECT pg_advisory_xact_lock(?)", LOCK_NUMBER)
        transaction.execute(KNOWN)
        applied = {name for (name,) in transaction.rows("SELECT name FROM migrations")}
        unknown = sorted(applied - set(all_migrations()))
        if unknown:
            raise DatabaseError(
                f"the database was changed by a later version of Seamark ({unknown[-1]}); "
                "upgrade with pip install -U seamark"
            )
        missing = [name for name in migrations if name not in applied]
        for name in missing:
            for statement in statements(migrations[name]):
                transaction.execute(statement)
            transaction.execute("INSERT INTO migrations (name, applied_at) VALUES (?, ?)", name, time.time())
        return missing

    applied_now = database.write(apply)
    for name in applied_now:
        LOG.info("the database was brought up to date: %s", name)
    return applied_now


def statements(sql: str) -> list[str]:
    """The statements of a file. None of them has a semicolon or two dashes inside."""
    without_comments = "\n".join(line.split("--")[0] for line in sql.splitlines())
    return [statement.strip() for statement in without_comments.split(";") if statement.strip()]


def table_names(migrations: Collection[str]) -> list[str]:
    """The tables that these migrations create, in an order in which every table comes after those that it names."""
    known = all_migrations()
    return [
        match[1]
        for name in sorted(migrations)
        for statement in statements(known[name])
        if (match := re.match(r"CREATE TABLE (\w+)", statement))
    ]
