"""Evaluation: looks at the runs of projects that have rules, and adds what the rules find."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool

from seamark.store import RunStore, StoreUnavailableError
from seamark.team.database import Database, Transaction
from seamark.team.notify.rows import Message, Rule, notify_by_rule, rules_of
from seamark.team.notify.watch import Look, WatchedRun, read_look, state_message, threshold_message
from seamark.team.projects.opened import OpenedProjects, View
from seamark.team.projects.project import Project, project_with_id
from seamark.team.settings import TeamFolder

DAY_SECS = 86_400.0
# A run that nothing was uploaded of for longer has nothing new; one that is stuck is found before.
WATCHED_SECS = 7 * DAY_SECS
LOAD_SECS = 60.0
# A store reads new points, and rows of runs get their times, some seconds after the bytes arrived.
STORE_LAG_SECS = 30.0
ROW_LAG_SECS = 30.0
MAX_LOOKS = 100_000


class Evaluation:
    """`evaluate` is called on the event loop, again and again."""

    def __init__(self, folder: TeamFolder, database: Database, projects: OpenedProjects) -> None:
        self._folder = folder
        self._database = database
        self._projects = projects
        self._looks: dict[str, Look] = {}  # by run
        self._measured_at: dict[str, float] = {}  # by project: when thresholds were compared last

    async def evaluate(self, now: float) -> int:
        """Returns how many notifications were added."""
        rules = [rule for rule in await run_in_threadpool(self._database.read, rules_of) if rule.event != "mention"]
        added = 0
        for project_id in dict.fromkeys(rule.project_id for rule in rules):
            added += await self._evaluate_project(
                project_id, [rule for rule in rules if rule.project_id == project_id], now
            )
        return added

    async def _evaluate_project(self, project_id: str, rules: Sequence[Rule], now: float) -> int:
        project, runs = await run_in_threadpool(
            self._database.read,
            lambda transaction: (project_with_id(transaction, project_id), watched_runs(transaction, project_id, now)),
        )
        if project is None:
            return 0
        # A project without new points is not opened for them.
        since = self._measured_at.get(project_id, 0.0) - STORE_LAG_SECS
        grown = [run for run in runs if run.uploaded_at > since]
        thresholds = [rule for rule in rules if rule.event == "threshold"] if grown else []
        found = await run_in_threadpool(self._by_state, project, runs, rules, now)
        if thresholds:
            async with self._projects.use(View(project_id)) as opened:
                crossed = await run_in_threadpool(self._by_points, project, grown, thresholds, opened.store)
            if crossed is not None:
                found += crossed
                self._measured_at[project_id] = now
        if not found:
            return 0
        return await run_in_threadpool(
            self._database.write,
            lambda transaction: sum(notify_by_rule(transaction, rule, message, now) for rule, message in found),
        )

    def _by_points(
        self, project: Project, runs: Sequence[WatchedRun], rules: Sequence[Rule], store: RunStore
    ) -> list[tuple[Rule, Message]] | None:
        """None: the points cannot be read now."""
        if not store.wait_loaded(LOAD_SECS):
            return None
        try:
            found = [
                (rule, threshold_message(rule, project, run, store))
                for run in runs
                for rule in rules
                if run.uploaded_at >= rule.created_at
            ]
        except StoreUnavailableError:
            return None  # the store says why on the page
        return [(rule, message) for rule, message in found if message is not None]

    def _by_state(
        self, project: Project, runs: Sequence[WatchedRun], rules: Sequence[Rule], now: float
    ) -> list[tuple[Rule, Message]]:
        found: list[tuple[Rule, Message | None]] = []
        for run in runs:
            # What happened before somebody asked to be told is not news.
            due = [rule for rule in rules if run.uploaded_at >= rule.created_at or rule.event == "no_progress"]
            if due:
                look = self._look_at(project.id, run, now)
                found += [(rule, state_message(rule, project, run, look, now)) for rule in due]
        return [(rule, message) for rule, message in found if message is not None]

    def _look_at(self, project_id: str, run: WatchedRun, now: float) -> Look:
        """Files change only by uploads: those of a run that got none are not read again."""
        known = self._looks.get(run.id)
        if known is None or known.uploaded_at != run.uploaded_at or known.read_at < run.uploaded_at + ROW_LAG_SECS:
            if len(self._looks) >= MAX_LOOKS:
                self._looks.clear()
            known = self._looks[run.id] = read_look(self._folder.logs_dir(project_id) / run.name, run, now)
        return known


def watched_runs(transaction: Transaction, project_id: str, now: float) -> list[WatchedRun]:
    rows = transaction.rows(
        "SELECT id, name, uploaded_at FROM runs WHERE project_id = ? AND deleted_at IS NULL AND uploaded_at > ?",
        *(project_id, now - WATCHED_SECS),
    )
    return [WatchedRun(*row) for row in rows]
