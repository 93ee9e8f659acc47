"""Retention: applies the rules of projects to runs that nobody uploads to any more."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from seamark.format.run_record import FILE_NAME, RUNNING, RunRecordError, loads
from seamark.kinds import DecodeError
from seamark.store import EVENT_FILE_MARK
from seamark.team.database import Database, Transaction
from seamark.team.ingest.ingest import FileGrewError
from seamark.team.projects.project import all_projects
from seamark.team.projects.run_files import files_of_run
from seamark.team.retention.originals import note_rewritten
from seamark.team.retention.rewrite import Plan, RewriteError, length_without, plan_rewrite, remove_unfinished, rewrite
from seamark.team.retention.rules import Rule, read_rules
from seamark.team.settings import TeamFolder
from seamark.team.trash.trash import DAY_SECS

LOG = logging.getLogger(__name__)
# A run without an end in its record may still be uploaded to.
SETTLED_SECS = DAY_SECS
TASK = "retention"


class ReplaceFile(Protocol):
    def __call__(self, project_id: str, run: str, file: str, content: Path, *, old_length: int) -> None: ...


class StoredRun(msgspec.Struct, frozen=True):
    name: str
    uploaded_at: float


class FileChange(msgspec.Struct, frozen=True):
    """An event file, and the bytes of payloads that a rule drops from it, by kind."""

    run: str
    path: str  # relative to the run's folder
    bytes: int
    bytes_after: int
    dropped: dict[str, int]


class Retention:
    """For any thread. `replace_file` is that of Ingest."""

    def __init__(self, folder: TeamFolder, database: Database, *, replace_file: ReplaceFile) -> None:
        self._folder = folder
        self._database = database
        self._replace_file = replace_file

    def dry_run(self, project_id: str, rules: Sequence[Rule], now: float) -> list[FileChange]:
        """What applying these rules now would drop."""
        found: list[FileChange] = []

        def note(run: StoredRun, path: Path, plan: Plan) -> None:
            try:
                after = length_without(path, plan.offsets)
            except (OSError, RewriteError, DecodeError) as error:
                LOG.warning("an event file would keep its old payloads (%s): '%s'", error, path)
                return
            file = self._relative(project_id, run, path)
            found.append(FileChange(run.name, file, plan.bytes_before, after, plan.dropped))

        self._visit(project_id, rules, now, note)
        return found

    def apply(self, project_id: str, now: float) -> list[FileChange]:
        """Applies the saved rules. A file that cannot be rewritten is logged and left as it is."""
        rules = self._database.read(lambda transaction: read_rules(transaction, project_id))
        changed = self.dry_run(project_id, rules, now) if rules else []
        by_run: dict[str, list[FileChange]] = {}
        for change in changed:
            by_run.setdefault(change.run, []).append(change)
        for run in by_run:
            self._rewrite_run(project_id, run, rules, now)
        return changed

    def apply_due(self, now: float) -> None:
        """Once a day for each project, also if the server was restarted meanwhile."""
        for project in self._database.read(all_projects):
            if self._database.write(lambda transaction, id=project.id: begin_task(transaction, TASK, id, now)):  # type: ignore[misc]
                self.apply(project.id, now)

    def _rewrite_run(self, project_id: str, name: str, rules: Sequence[Rule], now: float) -> None:
        def change(run: StoredRun, path: Path, plan: Plan) -> None:
            drops, file = dropping(rules, run, now), self._relative(project_id, run, path)

            def put_in_place(content: Path, old_length: int) -> None:
                self._replace_file(project_id, run.name, file, content, old_length=old_length)

            try:
                original = rewrite(path, drops, inherited, put_in_place=put_in_place)
            except (OSError, RewriteError, FileGrewError, DecodeError) as error:
                LOG.warning("an event file keeps its old payloads (%s): '%s'", error, path)
                return
            saved_bytes = original.length - path.stat().st_size

            def note(transaction: Transaction) -> None:
                note_rewritten(transaction, project_id, run.name, file, original, now)
                transaction.execute(
                    "UPDATE runs SET bytes = bytes - ? WHERE project_id = ? AND name = ? AND deleted_at IS NULL",
                    *(saved_bytes, project_id, run.name),
                )

            self._database.write(note)

        inherited: dict[str, bytes] = {}
        self._visit(project_id, rules, now, change, only=name, inherited=inherited)

    def _visit(
        self,
        project_id: str,
        rules: Sequence[Rule],
        now: float,
        act: Callable[[StoredRun, Path, Plan], None],
        *,
        only: str | None = None,
        inherited: dict[str, bytes] | None = None,
    ) -> None:
        """Calls `act` for each event file that a rule drops something from, with the metadata of earlier files."""
        logs = self._folder.logs_dir(project_id)
        runs = self._database.read(lambda transaction: stored_runs(transaction, project_id))
        known = [run.name for run in runs]
        for run in runs:
            drops = dropping(rules, run, now)
            if only not in (None, run.name) or drops is keep_all or not is_settled(logs, run, now):
                continue
            metadata = {} if inherited is None else inherited
            metadata.clear()
            for path in event_files(logs, run.name, known):
                try:
                    plan = plan_rewrite(path, drops, metadata)
                except OSError as error:
                    LOG.warning("an event file cannot be read (%s): '%s'", error, path)
                    continue
                if plan.offsets:
                    act(run, path, plan)
                metadata.update(plan.metadata)

    def _relative(self, project_id: str, run: StoredRun, path: Path) -> str:
        return path.relative_to(self._folder.logs_dir(project_id) / run.name).as_posix()


def dropping(rules: Sequence[Rule], run: StoredRun, now: float) -> Callable[[str], bool]:
    """Which kinds go, by the rules whose time is over for this run."""
    due = [rule for rule in rules if rule.applies_to(run.name) and now - run.uploaded_at >= rule.keep_days * DAY_SECS]
    return (lambda kind: any(rule.drops(kind) for rule in due)) if due else keep_all


def keep_all(kind: str) -> bool:
    return False


def is_settled(logs: Path, run: StoredRun, now: float) -> bool:
    """Whether the run has ended, or nothing was uploaded for a day."""
    if now - run.uploaded_at >= SETTLED_SECS:
        return True
    try:
        return loads((logs / run.name / FILE_NAME).read_bytes()).status != RUNNING
    except (OSError, RunRecordError):
        return False


def event_files(logs: Path, run: str, known: Collection[str]) -> list[Path]:
    """In the order in which readers take them: by name, which has the time."""
    found = [Path(entry.path) for _, entry in files_of_run(logs, run, known)]
    remove_unfinished({path.parent for path in found})
    return sorted(path for path in found if EVENT_FILE_MARK in path.name and path.exists())


def stored_runs(transaction: Transaction, project_id: str) -> list[StoredRun]:
    rows = transaction.rows(
        "SELECT name, uploaded_at FROM runs WHERE project_id = ? AND deleted_at IS NULL ORDER BY name", project_id
    )
    return [StoredRun(name, uploaded_at) for name, uploaded_at in rows]


def begin_task(transaction: Transaction, task: str, project_id: str, now: float) -> bool:
    """Whether a daily task is due; notes that it ran."""
    row = transaction.row("SELECT ran_at FROM task_runs WHERE task = ? AND project_id = ?", task, project_id)
    if row is not None and now - row[0] < DAY_SECS:
        return False
    transaction.execute(
        "INSERT INTO task_runs VALUES (?, ?, ?) ON CONFLICT (task, project_id) DO UPDATE SET ran_at = excluded.ran_at",
        *(task, project_id, now),
    )
    return True
