"""Which runs are part of another run's row, for lists that cannot wait for the table of runs."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from seamark.compare.record.merging import (
    SESSION_START_TAG,
    Session,
    curve_key,
    curve_runs,
    merged_runs,
    run_above,
)
from seamark.format.types import RunName, Tag
from seamark.store import RunInfo, RunStore

if TYPE_CHECKING:
    from seamark.compare.record.flatten import Scalar


@dataclass(frozen=True, slots=True)
class MergedRun:
    into: RunName
    curve: str | None  # the key of add_scalars; None for a run of add_hparams


@dataclass(frozen=True, slots=True)
class _Facts:
    tags: tuple[Tag, ...]
    has_session: bool
    is_single: bool
    has_payloads: bool
    began: float


class MergedRuns:
    """Reads no files, and only runs below another run; for any thread."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._version = -1
        self._names: frozenset[RunName] = frozenset()
        self._facts: dict[RunName, _Facts] = {}
        self._merged: Mapping[RunName, MergedRun] = {}

    def current(self) -> Mapping[RunName, MergedRun]:
        with self._lock:
            version = self._store.version  # taken first: changes made meanwhile are read next time
            if version != self._version:
                touched = self._store.changed_since(self._version) if self._version >= 0 else []
                self._version = version
                if self._follow(touched):
                    self._relate()
            return self._merged

    def _follow(self, touched: list[RunName]) -> bool:
        """Whether runs may be merged in another way than before."""
        names = frozenset(self._store.run_names())
        has_changed = names != self._names
        self._names = names
        for name in touched:
            before = self._facts.pop(name, None)
            if before is not None and self._facts_of(name) != before:
                has_changed = True
        return has_changed

    def _facts_of(self, name: RunName) -> _Facts | None:
        if name not in self._facts:
            info = self._store.run(name)
            if info is None:
                return None
            self._facts[name] = self._read(info)
        return self._facts[name]

    def _read(self, info: RunInfo) -> _Facts:
        tags = self._store.scalar_tags(info.name)
        has_session = any(tag == SESSION_START_TAG for tag, _ in self._store.metadata(info.name, "hparams"))
        return _Facts(
            tags=tags,
            has_session=has_session,
            is_single=has_session and info.points <= len(tags),
            has_payloads=info.payloads > 0,
            began=info.first_wall or 0.0,
        )

    def _relate(self) -> None:
        above = {name: run_above(name, self._names) for name in self._names}
        wanted = {run for pair in above.items() if pair[1] is not None for run in pair if run is not None}
        self._facts = {name: facts for name, facts in self._facts.items() if name in wanted}
        known = {name: facts for name in sorted(wanted) if (facts := self._facts_of(name)) is not None}
        sessions = {
            name: Session(partial(_params_of, self._store, name), facts.began, facts.is_single)
            for name, facts in known.items()
            if facts.has_session
        }
        curves = curve_runs({name: () if facts.has_payloads else facts.tags for name, facts in known.items()}, sessions)
        self._merged = {
            **{name: MergedRun(into, curve_key(name, into, known[name].tags[0])) for name, into in curves.items()},
            **{name: MergedRun(into, None) for name, into in merged_runs(self._names, sessions).items()},
        }


def _params_of(store: RunStore, name: RunName) -> Mapping[str, Scalar | None]:
    from seamark.compare.record.run_session import session_params  # a server starts before it is loaded

    return session_params(store, name)
