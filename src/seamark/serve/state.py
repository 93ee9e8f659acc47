"""What people decide about runs: names, stars, notes, colours, pins, views, layouts; in the user's data directory.

One SQLite file holds a document per log directory. Every change names the version it was made on, so that two pages
never overwrite each other unseen. It also remembers in which order runs were first seen: that gives them their colours.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from seamark.store import LogRoot

MAX_DOCUMENT_BYTES = 8 << 20
MAX_DEPTH = 50
BUSY_SECS = 5.0
EMPTY: dict[str, Any] = {"runs": {}, "pins": [], "views": {}, "dashboards": {}}
RUN_FIELDS: dict[str, type] = {
    "label": str, "star": bool, "note": str, "hidden": bool, "colour": str, "tags": list, "archived": bool,
}  # fmt: skip
MAX_TAGS = 200
MAX_TAG_LENGTH = 200
SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (logdir TEXT PRIMARY KEY, paths TEXT, version INTEGER, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seen (logdir TEXT, run TEXT, position INTEGER NOT NULL, PRIMARY KEY (logdir, run));
"""


class WrongVersionError(Exception):
    """Somebody else changed the state meanwhile; `current` is what it is now."""

    def __init__(self, current: dict[str, Any]) -> None:
        super().__init__(f"the state was changed meanwhile: it has version {current['version']}; read it and try again")
        self.current = current


class BadStateError(ValueError):
    """The change makes no sense; the message says why."""


def default_state_dir() -> Path:
    """The place for data that must not be lost; the index lies in the cache, which may be."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "seamark"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "seamark"
    named = os.environ.get("XDG_DATA_HOME", "")
    # The specification says that a relative path is to be ignored.
    return (Path(named) if named.startswith("/") else Path.home() / ".local" / "share") / "seamark"


class State:
    """The document of one set of log directories. `folder` None, or one that cannot be written, keeps it in memory."""

    def __init__(self, folder: Path | None, roots: Sequence[LogRoot]) -> None:
        paths = [f"{root.name}:{root.path.resolve()}" for root in roots]
        self._key = hashlib.blake2b("\n".join(paths).encode(errors="surrogateescape"), digest_size=12).hexdigest()
        self._paths = json.dumps(paths)
        self._folder = folder
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._positions: dict[str, int] = {}
        self._listeners: list[Callable[[int], None]] = []
        self.problem = ""  # why nothing is kept, as a sentence

    def on_change(self, listener: Callable[[int], None]) -> None:
        """`listener` gets the new version, from the thread that made the change."""
        self._listeners.append(listener)

    def read(self) -> dict[str, Any]:
        with self._lock:
            return self._read(self._open())

    def patch(self, version: int, change: dict[str, Any]) -> dict[str, Any]:
        """Merges a change into the document (None removes), if that still has the version the change was made on."""
        check_change(change)
        with self._lock:
            database = self._open()
            with database:  # a transaction
                database.execute("BEGIN IMMEDIATE")
                current = self._read(database)
                if current["version"] != version:
                    raise WrongVersionError(current)
                changed = {**merged({name: current[name] for name in EMPTY}, change), "version": version + 1}
                self._write(database, changed)
        for listener in self._listeners:
            listener(version + 1)
        return changed

    def positions(self, runs: Iterable[str]) -> dict[str, int]:
        """The place of each run in the order of first sight; runs not seen before are added in the order given."""
        with self._lock:
            wanted = list(runs)
            if any(run not in self._positions for run in wanted):
                database = self._open()
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    self._remember(database, wanted)
            return {run: self._positions[run] for run in wanted}

    def close(self) -> None:
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _remember(self, database: sqlite3.Connection, runs: list[str]) -> None:
        rows = database.execute("SELECT run, position FROM seen WHERE logdir = ?", [self._key]).fetchall()
        self._positions = dict(rows)
        following = 1 + max(self._positions.values(), default=-1)
        fresh = {run: following + at for at, run in enumerate(run for run in runs if run not in self._positions)}
        database.executemany(
            "INSERT INTO seen VALUES (?, ?, ?)", [(self._key, run, position) for run, position in fresh.items()]
        )
        self._positions.update(fresh)

    def _read(self, database: sqlite3.Connection) -> dict[str, Any]:
        with closing(database.execute("SELECT version, body FROM documents WHERE logdir = ?", [self._key])) as rows:
            row = rows.fetchone()
        return {**EMPTY, **json.loads(row[1]), "version": row[0]} if row else {**EMPTY, "version": 0}

    def _write(self, database: sqlite3.Connection, document: dict[str, Any]) -> None:
        body = json.dumps({name: document[name] for name in EMPTY})
        if len(body) > MAX_DOCUMENT_BYTES:
            raise BadStateError(f"the state would have {len(body):,} bytes, {MAX_DOCUMENT_BYTES:,} is the most")
        database.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", [self._key, self._paths, document["version"], body]
        )

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            try:
                self._database = self._connected()
            except (OSError, sqlite3.Error) as error:
                self.problem = (
                    f"names, notes and pins are not kept ({error}); "
                    f"choose a folder that can be written with --state_dir: '{self._folder}'"
                )
                self._database = connect(":memory:")
        return self._database

    def _connected(self) -> sqlite3.Connection:
        if self._folder is None:
            return connect(":memory:")
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return connect(str(self._folder / "state.sqlite"))


def connect(path: str) -> sqlite3.Connection:
    # Guarded by the lock of its State; autocommit, so that transactions begin where they are written.
    database = sqlite3.connect(path, timeout=BUSY_SECS, isolation_level=None, check_same_thread=False)
    try:
        database.executescript(SCHEMA)
        # A folder on a read-only disk can be opened: the first write tells.
        database.execute("PRAGMA user_version = 1")
    except sqlite3.Error:
        database.close()
        raise
    return database


def merged(document: Any, change: Any) -> Any:
    """RFC 7396: objects merge, None removes, everything else replaces."""
    if not isinstance(change, dict):
        return change
    result = dict(document) if isinstance(document, dict) else {}
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def check_change(change: dict[str, Any]) -> None:
    unknown = sorted(set(change) - set(EMPTY))
    if unknown:
        raise BadStateError(f"unknown part of the state '{unknown[0]}', want some of {', '.join(EMPTY)}")
    if depth_of(change) > MAX_DEPTH:
        raise BadStateError(f"the change is nested too deeply, {MAX_DEPTH} levels are the most")
    if not isinstance(change.get("pins", []), list):
        raise BadStateError("pins is not a list")
    for name in ("runs", "views", "dashboards"):
        if not isinstance(change.get(name, {}), dict):
            raise BadStateError(f"{name} is not an object")
    for run, fields in change.get("runs", {}).items():
        check_run(run, fields)


def depth_of(value: Any) -> int:
    """Level by level: what is nested deeply enough to matter is too deep to call oneself for."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            entry
            for container in level
            if isinstance(container, dict | list)
            for entry in (container.values() if isinstance(container, dict) else container)
        ]
    return depth


def check_run(run: str, fields: Any) -> None:
    if fields is None:
        return
    if not isinstance(fields, dict):
        raise BadStateError(f"what is said of a run is an object with some of {', '.join(RUN_FIELDS)}: run '{run}'")
    for name, value in fields.items():
        kind = RUN_FIELDS.get(name)
        if kind is None:
            raise BadStateError(f"unknown field '{name}', want some of {', '.join(RUN_FIELDS)}: run '{run}'")
        if value is not None and not isinstance(value, kind):
            raise BadStateError(f"{name} is not a {kind.__name__}, got {value!r}: run '{run}'")
        if isinstance(value, list):
            check_tags(run, value)


def check_tags(run: str, tags: list[Any]) -> None:
    if len(tags) > MAX_TAGS:
        raise BadStateError(f"{len(tags)} tags are too many, {MAX_TAGS} are the most: run '{run}'")
    for tag in tags:
        if not isinstance(tag, str) or not 0 < len(tag) <= MAX_TAG_LENGTH:
            raise BadStateError(f"a tag is text of 1 to {MAX_TAG_LENGTH} characters, got {tag!r:.80}: run '{run}'")
