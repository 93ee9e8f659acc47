"""A private PostgreSQL server for tests, on a socket in a folder of its own."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

USER = "seamark"
START_SECS = 60


def missing_postgres() -> str:
    """Why there is no PostgreSQL here; "" if there is."""
    absent = [name for name in ("initdb", "pg_ctl", "postgres") if shutil.which(name) is None]
    if absent:
        return f"PostgreSQL is not installed: {', '.join(absent)}"
    # PostgreSQL does not run as root.
    return "" if os.geteuid() or system_user() else "there is no user to run PostgreSQL as"


def system_user() -> str | None:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


class PostgresServer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = folder / "data"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"test_{secrets.token_hex(4)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._address(name)

    def start(self) -> None:
        options = f"-k {self._folder} -c listen_addresses='' -c fsync=off -c max_connections=50"
        self.run("pg_ctl", "-D", str(self._data), "-w", "-t", str(START_SECS), "-o", options, "-l", self._log, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def create(self) -> None:
        self.run("initdb", "-D", str(self._data), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")

    @property
    def _log(self) -> str:
        return str(self._folder / "log")

    def _address(self, name: str) -> str:
        return f"postgresql://{USER}@/{name}?host={quote(str(self._folder))}"

    def run(self, *command: str) -> None:
        user = None if os.geteuid() else system_user()
        done = subprocess.run(command, user=user, cwd=self._folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed: {done.stdout} {done.stderr}")


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """In a short path of its own: a socket's path has at most 107 bytes, and another user must reach it."""
    folder = Path(tempfile.mkdtemp(prefix="seamark-pg-"))
    try:
        user = system_user()
        if not os.geteuid() and user is not None:
            shutil.chown(folder, user)
        server = PostgresServer(folder)
        server.create()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
