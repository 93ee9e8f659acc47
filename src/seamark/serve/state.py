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

from seamark.serve.state_database import StateDatabase, StateUnavailableError
from seamark.store import LogRoot

MAX_DOCUMENT_BYTES = 8 << 20
MAX_DEPTH = 50
MAX_VERSION = 2**53
EMPTY: dict[str, Any] = {"runs": {}, "pins": [], "views": {}, "dashboards": {}}
RUN_FIELDS: dict[str, type] = {
    "label": str, "star": bool, "note": str, "hidden": bool, "colour": str, "tags": list, "archived": bool,
}  # fmt: skip
MAX_TAGS = 200
MAX_TAG_LENGTH = 200


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

    def __init__(self, folder: Path | None, roots: Sequence[LogRoot], *, can_repair: bool = True) -> None:
        paths = [f"{root.name}:{root.path.resolve()}" for root in roots]
        self._key = hashlib.blake2b("\n".join(paths).encode(errors="surrogateescape"), digest_size=12).hexdigest()
        self._paths = json.dumps(paths)
        self._lock = threading.Lock()
        self._database = StateDatabase(folder, can_repair=can_repair)
        self._positions: dict[str, int] = {}
        self._listeners: list[Callable[[int], None]] = []

    def on_change(self, listener: Callable[[int], None]) -> None:
        """`listener` gets the new version, from the thread that made the change."""
        self._listeners.append(listener)

    @property
    def problem(self) -> str:
        """Why nothing is saved, or what became of what was; "" when all is well."""
        return self._database.problem

    def read(self) -> dict[str, Any]:
        """Raises StateUnavailableError."""
        with self._lock:
            return self._database.run(self._read)

    def patch(self, version: int, change: dict[str, Any]) -> dict[str, Any]:
        """Merges a change into the document (None removes), if that still has the version the change was made on."""
        check_change(change)

        def change_document(database: sqlite3.Connection) -> dict[str, Any]:
            with database:  # a transaction
                database.execute("BEGIN IMMEDIATE")
                current = self._read(database)
                if current["version"] != version:
                    raise WrongVersionError(current)
                changed = {**merged({name: current[name] for name in EMPTY}, change), "version": version + 1}
                self._write(database, changed)
            return changed

        with self._lock:
            changed = self._database.run(change_document)
        for listener in self._listeners:
            listener(version + 1)
        return changed

    def positions(self, runs: Iterable[str]) -> dict[str, int]:
        """The place of each run in the order of first sight; runs not seen before are added in the order given."""

        def remember_new(database: sqlite3.Connection) -> dict[str, int]:
            with database:
                database.execute("BEGIN IMMEDIATE")
                return self._remember(database, wanted)

        with self._lock:
            wanted = list(runs)
            if all(run in self._positions for run in wanted):
                return {run: self._positions[run] for run in wanted}
            try:
                self._positions = known = self._database.run(remember_new)
            except StateUnavailableError:  # for now; the next request tries again
                known = self._positions | self._following(self._positions, wanted)
            return {run: known[run] for run in wanted}

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _remember(self, database: sqlite3.Connection, runs: list[str]) -> dict[str, int]:
        rows = database.execute("SELECT run, position FROM seen WHERE logdir = ?", [self._key]).fetchall()
        if not all(isinstance(run, str) and isinstance(position, int) for run, position in rows):
            raise sqlite3.DatabaseError("a row of a run makes no sense")
        known = dict(rows)
        fresh = self._following(known, runs)
        database.executemany(
            "INSERT INTO seen VALUES (?, ?, ?)", [(self._key, run, position) for run, position in fresh.items()]
        )
        return known | fresh

    @staticmethod
    def _following(known: dict[str, int], runs: list[str]) -> dict[str, int]:
        following = 1 + max(known.values(), default=-1)
        return {run: following + at for at, run in enumerate(run for run in runs if run not in known)}

    def _read(self, database: sqlite3.Connection) -> dict[str, Any]:
        with closing(database.execute("SELECT version, body FROM documents WHERE logdir = ?", [self._key])) as rows:
            row = rows.fetchone()
        return {**EMPTY, **body_of(*row), "version": row[0]} if row else {**EMPTY, "version": 0}

    def _write(self, database: sqlite3.Connection, document: dict[str, Any]) -> None:
        body = json.dumps({name: document[name] for name in EMPTY})
        if len(body) > MAX_DOCUMENT_BYTES:
            raise BadStateError(f"the state would have {len(body):,} bytes, {MAX_DOCUMENT_BYTES:,} is the most")
        database.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", [self._key, self._paths, document["version"], body]
        )


def body_of(version: object, text: object) -> dict[str, Any]:
    """The document as it was saved. What was not written by us counts as damage."""
    try:
        body: dict[str, Any] | None = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        body = None
    is_ours = (
        isinstance(version, int)
        and 0 <= version < MAX_VERSION
        and isinstance(body, dict)
        and all(isinstance(body.get(name, empty), type(empty)) for name, empty in EMPTY.items())
        and all(isinstance(fields, dict) for fields in body.get("runs", {}).values())
    )
    if not is_ours or body is None:
        raise sqlite3.DatabaseError("the document of a log directory makes no sense")
    return body


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
