"""State: names, stars, notes, colours, pins, views and layouts that people save.

A log directory has one document: in a SQLite file in the user's data directory, or in the database of a team server. A
change has the version it was made on, so that two pages cannot overwrite each other's changes. The order in which runs
were first seen is saved, too: it decides their colours.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from seamark.format.user_dirs import user_data_dir
from seamark.serve.state import texts
from seamark.serve.state.database import StateDatabase
from seamark.serve.state.document import EMPTY, check_depth, format_document, merge, parse_document
from seamark.serve.state.storage import InvalidStateError, StateRows, StateStorage, StateUnavailableError
from seamark.store import LogRoot


class WrongVersionError(Exception):
    """The state was changed meanwhile; `current` is the new one."""

    def __init__(self, current: dict[str, Any]) -> None:
        super().__init__(f"the state was changed meanwhile: it has version {current['version']}; read it and retry")
        self.current = current


def default_state_dir() -> Path:
    return user_data_dir()


class State:
    """The document of one set of log directories. Without a `folder` that can be written it is only in memory."""

    def __init__(
        self,
        folder: Path | None,
        roots: Sequence[LogRoot],
        *,
        can_repair: bool = True,
        storage: StateStorage | None = None,
    ) -> None:
        """A `storage` takes the place of the file in the `folder`."""
        paths = [f"{root.name}:{root.path.resolve()}" for root in roots]
        self._lock = threading.Lock()
        self._storage = storage or StateDatabase(
            folder,
            hashlib.blake2b("\n".join(paths).encode(errors="surrogateescape"), digest_size=12).hexdigest(),
            paths=json.dumps(paths),
            can_repair=can_repair,
            label=next((root.label for root in roots if root.label), ""),
        )
        self._positions: dict[str, int] = {}
        self._listeners: list[Callable[[int], None]] = []
        self._announced = -1  # the version that listeners know of

    def on_change(self, listener: Callable[[int], None]) -> None:
        """Calls `listener` with the new version after every change, on the thread that made or noticed it."""
        self._listeners.append(listener)

    def announce(self, version: int) -> None:
        """Calls the listeners unless they know this version, which another process may have made."""
        if version != self._announced:
            self._announced = version
            for listener in self._listeners:
                listener(version)

    @property
    def problem(self) -> str:
        """Why nothing is saved, or what happened to a damaged file; "" if there is no problem."""
        return self._storage.problem

    def read(self) -> dict[str, Any]:
        """Raises StateUnavailableError."""
        with self._lock:
            return self._storage.read(read_document)

    def patch(self, version: int, change: dict[str, Any]) -> dict[str, Any]:
        """Merges a change into the document (None removes) if the document still has `version`.

        Raises WrongVersionError, BadStateError or StateUnavailableError.
        """
        check_depth(change)

        def change_document(rows: StateRows) -> dict[str, Any]:
            current = read_document(rows)
            if current["version"] != version:
                raise WrongVersionError(current)
            changed = {**merge({name: current[name] for name in EMPTY}, change), "version": version + 1}
            rows.save_document(version + 1, format_document(changed))
            return changed

        with self._lock:
            changed = self._storage.write(change_document)
        self.announce(version + 1)
        return changed

    def positions(self, runs: Iterable[str]) -> dict[str, int]:
        """The index of each run in the order in which runs were first seen. New runs are added in the given order."""

        def add_new(rows: StateRows) -> dict[str, int]:
            known = known_positions(rows)
            fresh = next_positions(known, wanted)
            rows.add_positions(fresh)
            return known | fresh

        with self._lock:
            wanted = list(runs)
            if all(run in self._positions for run in wanted):
                return {run: self._positions[run] for run in wanted}
            try:
                self._positions = known = self._storage.write(add_new)
            except StateUnavailableError:  # the next request retries; `problem` has the reason
                known = self._positions | next_positions(self._positions, wanted)
            return {run: known[run] for run in wanted}

    def forget_runs(self, runs: Collection[str]) -> None:
        """Removes everything that is saved of runs that were deleted for good. Raises StateUnavailableError."""

        def forget(rows: StateRows) -> int | None:
            current = read_document(rows)
            rows.delete_positions(runs)
            texts.delete_mentioning(rows, runs)
            if not current["runs"].keys() & set(runs):
                return None
            left = {run: fields for run, fields in current["runs"].items() if run not in runs}
            version = int(current["version"]) + 1
            rows.save_document(version, format_document({**current, "runs": left}))
            return version

        with self._lock:
            self._positions = {run: at for run, at in self._positions.items() if run not in runs}
            version = self._storage.write(forget)
        if version is not None:
            self.announce(version)

    def save_text(self, text: str) -> str:
        """Keeps a text that is too long for an address, and returns its id.

        Raises BadStateError or StateUnavailableError.
        """
        with self._lock:
            return self._storage.write(lambda rows: texts.save(rows, text))

    def text(self, id: str) -> str | None:
        """The text with this id, or None. Raises StateUnavailableError."""
        with self._lock:
            return self._storage.read(lambda rows: texts.load(rows, id))

    def close(self) -> None:
        with self._lock:
            self._storage.close()


def read_document(rows: StateRows) -> dict[str, Any]:
    found = rows.document()
    return {**EMPTY, "version": 0} if found is None else {**EMPTY, **parse_document(*found), "version": found[0]}


def known_positions(rows: StateRows) -> dict[str, int]:
    found = rows.positions()
    known = {run: at for run, at in found if isinstance(run, str) and isinstance(at, int)}
    if len(known) != len(found):
        raise InvalidStateError("a row of a run is invalid")
    return known


def next_positions(known: Mapping[str, int], runs: Iterable[str]) -> dict[str, int]:
    first = 1 + max(known.values(), default=-1)
    return {run: first + index for index, run in enumerate(run for run in runs if run not in known)}
