"""One record per run: its hyperparameters from every source, what run.json says, and its metrics' names.

Updating costs what changed: a run is read again when the store reports a change, its files when their times changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from seamark.compare.record import record_cache
from seamark.compare.record.config_files import RunFiles, is_current, parse_files, read_files
from seamark.compare.record.folder_reader import FolderContents, read_folders
from seamark.compare.record.known_run import KnownRun, newest_wall, params_of, record_of, without_blanks
from seamark.compare.record.merging import ROOT, Session, curve_runs, merged_runs, parent_of, part_above, session_above
from seamark.compare.record.record import IDLE_SECS, PlannedMetric, Record
from seamark.compare.record.record_cache import RecordCache
from seamark.compare.record.run_session import read_session
from seamark.compare.settings import LOOK_ALL_SECS, LOOK_SECS
from seamark.format import run_record
from seamark.format.types import RunName
from seamark.store import CachedRunFile, RunInfo, RunStore, gc_paused


@dataclass(slots=True)
class Changes:
    """What a refresh changed: whether rows were removed, and which were added, remade, or only grew."""

    removed: bool = False
    added: list[RunName] = field(default_factory=list)
    remade: list[RunName] = field(default_factory=list)
    grown: list[RunName] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.removed or bool(self.added or self.remade or self.grown)


class Records:
    """Not thread-safe: its owner holds a lock."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._version = -1
        self._looked_at = time.monotonic()
        self._cache = RecordCache(store)
        self._known: dict[RunName, KnownRun] = {}
        self._unseen: set[RunName] = set()  # runs that changed too soon after the last look at their files
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.by_name: dict[RunName, Record] = {}
        self.merged_into: dict[RunName, RunName] = {}
        self._above: dict[RunName, RunName] = {}  # the nearest run above with a session, of runs without one
        self._is_merged = False  # whether both are those of the sessions as they are

    def read_ahead(self) -> Iterator[None]:
        """Reads the files of every run ahead of the first refresh, one run per step; the caller may pause or stop.

        The first `refresh` reads what is left.
        """
        for name, info, files in self._looked_up(self._store.run_names()):
            self._follow(name, info, files, time.monotonic())
            yield

    def refresh(self, *, look: bool | None = None) -> Changes:
        """Reads what is new. `look` checks the files of runs without new events; None: every LOOK_ALL_SECS."""
        now = time.monotonic()
        version = self._store.version  # taken first: changes made meanwhile are read next time
        if self._version < 0:
            touched = self._store.run_names()
        else:
            touched = self._store.changed_since(self._version) if version != self._version else []
        self._version = version
        with gc_paused():
            return self._refresh(touched, now, look=look)

    def _refresh(self, touched: Iterable[RunName], now: float, *, look: bool | None) -> Changes:
        changed = {name for name, info, files in self._looked_up(touched) if self._follow(name, info, files, now)}
        if look or (look is None and now - self._looked_at > LOOK_ALL_SECS):
            self._looked_at = now
            changed |= {name for name, known in self._known.items() if self._reread(name, known, now)}
        for name in list(self._unseen):
            if name not in self._known:
                self._unseen.discard(name)
            elif self._reread(name, self._known[name], now, min_interval_secs=LOOK_SECS):
                changed.add(name)
        return self._settle(changed) if changed else Changes()

    def plan_of(self, record: Record) -> tuple[PlannedMetric, ...]:
        """The metrics announced in the run or the nearest one above: hparams_config is called once for all trials."""
        name = record.name
        plan = record.plan
        while not plan and name != ROOT:
            name = parent_of(name)
            above = self._known.get(name)
            plan = above.session.plan if above is not None and above.session is not None else ()
        return plan

    def watched(self) -> list[tuple[RunName, Path, RunFiles]]:
        """The arguments of `stale_runs`."""
        return [(name, known.info.path, known.files) for name, known in self._known.items()]

    def note_stale(self, runs: Iterable[RunName]) -> None:
        """Has the next refresh read the files of these runs."""
        for name in runs:
            if name in self._known:
                self._known[name].looked_at = -LOOK_SECS
                self._unseen.add(name)

    def problems(self) -> list[str]:
        return [problem for _, record in sorted(self.by_name.items()) for problem in record.problems]

    def _looked_up(self, runs: Iterable[RunName]) -> Iterator[tuple[RunName, RunInfo | None, RunFiles | None]]:
        """Each run with its info and, if it is new, its files: the folders of many runs are read in one go."""
        names = list(runs)
        infos = [self._store.run(name) for name in names]
        is_new = [info is not None and name not in self._known for name, info in zip(names, infos, strict=True)]
        folders = [os.fspath(info.path) for info, wanted in zip(infos, is_new, strict=True) if info and wanted]
        cached = self._cache.load([name for name, wanted in zip(names, is_new, strict=True) if wanted])
        contents = read_folders(folders)
        for name, info, wanted in zip(names, infos, is_new, strict=True):
            if info is not None and wanted:
                yield name, info, self._parse_files(name, info, next(contents), cached.get(name))
            else:
                yield name, info, None

    def _parse_files(
        self, name: RunName, info: RunInfo, contents: FolderContents, cached: CachedRunFile | None
    ) -> RunFiles:
        file = contents.files.get(run_record.FILE_NAME)
        known = record_cache.decode(cached, file[0]) if file is not None else None
        files = parse_files(info.path, contents, info.shown_path, roots=self._store.roots, known=known)
        if known is None:
            self._cache.note(name, files)
        return files

    def take_uncached(self) -> Mapping[RunName, RunFiles]:
        """Files that were parsed since the last call, for `cache_files`."""
        return self._cache.take_unwritten()

    def cache_files(self, files: Mapping[RunName, RunFiles]) -> None:
        """Keeps them in the index, for the next process. May be called while other threads use the records."""
        self._cache.write_all(files)

    def _follow(self, name: RunName, info: RunInfo | None, files: RunFiles | None, now: float) -> bool:
        """Whether anything about the run is new. `files` are those of a run that is not known yet."""
        if info is None:
            self._is_merged = False
            return self._known.pop(name, None) is not None
        known = self._known.get(name)
        is_new = known is None
        if known is None:
            known = self._known[name] = KnownRun(info, (), (), files or self._read_files(info), now)
            self._is_merged = False
        was_single, before, known.info = known.is_single, known.curve_tags, info
        layout = self._store.layout(name)
        if layout != known.layout:
            known.layout = layout
            known.tags = self._store.scalar_tags(name)
            self._read_session(name, known)
        self._is_merged &= known.is_single == was_single if known.session is not None else known.curve_tags == before
        if not is_new or may_end_now(info):
            self._reread(name, known, now, min_interval_secs=LOOK_SECS)
        return True

    def _reread(self, name: RunName, known: KnownRun, now: float, *, min_interval_secs: float = 0.0) -> bool:
        """Whether the files changed.

        A run that ends writes its last event and run.json in short succession, so files are checked again later.
        """
        if now - known.looked_at < min_interval_secs:
            self._unseen.add(name)
            return False
        self._unseen.discard(name)
        known.looked_at = now
        if is_current(known.info.path, known.files):
            return False
        known.files = self._read_files(known.info)
        return True

    def _read_files(self, info: RunInfo) -> RunFiles:
        return read_files(info.path, info.shown_path, roots=self._store.roots)

    def _read_session(self, name: RunName, known: KnownRun) -> None:
        had = known.session is not None
        known.session = read_session(self._store, name, known.files.record_keys)
        self._is_merged &= not had and known.session is None

    def _settle(self, changed: Iterable[RunName]) -> Changes:
        """Remakes the records of these runs, and of those that they were or are merged into."""
        before, inherited, wanted = self.merged_into, self._above, set(changed)
        if not self._is_merged:
            self._relate()
            wanted |= {name for name in {*before, *self.merged_into} if self.merged_into.get(name) != before.get(name)}
            wanted |= {name for name in {*inherited, *self._above} if self._above.get(name) != inherited.get(name)}
        wanted |= {parent for name in wanted for parent in (self.merged_into.get(name), before.get(name)) if parent}
        children: dict[RunName, list[RunName]] = {}
        for name, parent in self.merged_into.items():
            if parent in wanted:
                children.setdefault(parent, []).append(name)
        changes = Changes()
        for name in wanted:
            self._replace(name, children.get(name, []), changes)
        made = {*changes.added, *changes.remade}
        for name, above in self._above.items() if made else ():
            if above in made and name not in wanted:
                self._replace(name, [], changes)
        return changes

    def _relate(self) -> None:
        """Finds the runs that are part of another run's row, and those that are parts of a trial above."""
        sessions = {
            name: Session(known.session.params, known.info.first_wall or 0.0, known.is_single)
            for name, known in self._known.items()
            if known.session is not None and known.session.has_start
        }
        self.merged_into = curve_runs({name: known.curve_tags for name, known in self._known.items()}, sessions)
        if sessions:
            self.merged_into |= merged_runs(self._known, sessions)
        others = [name for name in self._known if name not in sessions and name not in self.merged_into]
        found = ((name, session_above(name, sessions) or part_above(name, self._known)) for name in others)
        self._above = {name: above for name, above in found if above is not None}
        self._is_merged = True

    def _replace(self, name: RunName, children: list[RunName], changes: Changes) -> None:
        known = self._known.get(name)
        before = self.by_name.get(name)
        if known is None or name in self.merged_into:
            if before is not None:
                del self.by_name[name]
                changes.removed = True
            return
        sources = [(child, self._known[child]) for child in children]
        above = self._known.get(self._above[name]) if name in self._above else None
        # The start may become known after the layout: the store reads on between the two requests.
        made_of = (known.files, known.layout, known.info.first_wall, *((child, one.layout) for child, one in sources))
        if above is not None:
            made_of = (*made_of, above.files, above.layout)
        if before is not None and before.made_of == made_of:
            before.info, before.last_wall = known.info, newest_wall(known, sources)
            changes.grown.append(name)
            return
        made = record_of(name, known, sources)
        if not made.params and name in self._above:
            # Keras notes hyperparameters in a run, and its metrics in the folders train and validation below.
            made.params = without_blanks(params_of(above.files, [above])) if above is not None else {}
            is_part = bool(made.params) or part_above(name, self._known) is not None
            made.inherits_params_from = self._above[name] if is_part else None
        made.made_of = made_of
        is_record = made.params is known.files.record_params
        made.keys = self._one(known.files.record_keys if is_record else tuple(made.params))
        made.summary_keys = self._one(tuple(made.summary))
        made.tags = self._one(made.tags)  # type: ignore[assignment]
        self.by_name[name] = made
        (changes.added if before is None else changes.remade).append(name)

    def _one(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return self._shared.setdefault(names, names)


def may_end_now(info: RunInfo) -> bool:
    """Whether a new run may be about to end; the files of older runs need no second check."""
    return info.last_wall is None or time.time() - info.last_wall < IDLE_SECS


def stale_runs(watched: Iterable[tuple[RunName, Path, RunFiles]]) -> list[RunName]:
    """Runs whose files changed. Slow: it stats every file."""
    return [name for name, folder, files in watched if not is_current(folder, files)]
