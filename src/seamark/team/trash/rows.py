"""The rows of runs that are in the trash, and what the database has about a run besides its own row."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import msgspec

from seamark.plugin import RequestError, not_found
from seamark.team.database import Transaction
from seamark.team.secret_text import new_id

COLUMNS = "id, project_id, name, bytes, deleted_at, deleted_by"


class TrashedRun(msgspec.Struct, frozen=True):
    id: str
    project_id: str
    name: str
    bytes: int
    deleted_at: float
    deleted_by: str


def live_runs(transaction: Transaction, project_id: str) -> dict[str, str]:
    """Name → id."""
    rows: list[tuple[str, str]] = transaction.rows(
        "SELECT name, id FROM runs WHERE project_id = ? AND deleted_at IS NULL", project_id
    )
    return dict(rows)


def deleted_names(transaction: Transaction, project_id: str) -> set[str]:
    """The names of runs in the trash that no live run has."""
    rows: list[tuple[str]] = transaction.rows(
        "SELECT name FROM runs WHERE project_id = ? AND deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM runs live "
        "WHERE live.project_id = runs.project_id AND live.name = runs.name AND live.deleted_at IS NULL)",
        project_id,
    )
    return {name for (name,) in rows}


def mark_deleted(transaction: Transaction, project_id: str, name: str, *, by: str, now: float) -> str:
    """Returns the id. A run whose files were put there by hand gets a row."""
    run_id = live_runs(transaction, project_id).get(name)
    if run_id is None:
        run_id = new_id()
        transaction.execute(
            "INSERT INTO runs (id, project_id, name, created_at, uploaded_at) VALUES (?, ?, ?, ?, ?)",
            *(run_id, project_id, name, now, now),
        )
    transaction.execute("UPDATE runs SET deleted_at = ?, deleted_by = ? WHERE id = ?", now, by, run_id)
    return run_id


def mark_restored(transaction: Transaction, run: TrashedRun) -> None:
    """Raises RequestError if another run has its name meanwhile."""
    if run.name in live_runs(transaction, run.project_id):
        raise RequestError(
            f"there is another run '{run.name}' meanwhile; delete it first to restore this one", code="conflict"
        )
    transaction.execute("UPDATE runs SET deleted_at = NULL, deleted_by = NULL WHERE id = ?", run.id)


def trashed_runs(transaction: Transaction, project_id: str | None = None) -> list[TrashedRun]:
    """The last one first; of all projects without a `project_id`."""
    where = "" if project_id is None else " AND project_id = ?"
    parameters = () if project_id is None else (project_id,)
    rows = transaction.rows(
        f"SELECT {COLUMNS} FROM runs WHERE deleted_at IS NOT NULL{where} ORDER BY deleted_at DESC, id", *parameters
    )
    return [TrashedRun(run_id, project, name, size, at, by or "") for run_id, project, name, size, at, by in rows]


def chosen(transaction: Transaction, project_id: str, ids: Sequence[str] | None) -> list[TrashedRun]:
    """All if `ids` is None. Raises RequestError for an id that is not in the trash."""
    found = {run.id: run for run in trashed_runs(transaction, project_id)}
    if ids is None:
        return list(found.values())
    for run_id in ids:
        if run_id not in found:
            raise not_found(f"the trash has no run '{run_id[:100]}'")
    return [found[run_id] for run_id in dict.fromkeys(ids)]


def forget_run(transaction: Transaction, run: TrashedRun) -> list[str]:
    """Deletes every row about a run. Returns the ids of shares that named no other run: they end.

    What is about its name stays if there is another run of that name by now.
    """
    transaction.execute("DELETE FROM runs WHERE id = ?", run.id)
    if run.name in live_runs(transaction, run.project_id):
        return []
    transaction.execute("DELETE FROM comments WHERE project_id = ? AND run = ?", run.project_id, run.name)
    transaction.execute("DELETE FROM notifications WHERE project_id = ? AND run = ?", run.project_id, run.name)
    transaction.execute("DELETE FROM rewritten_files WHERE project_id = ? AND run = ?", run.project_id, run.name)
    return leave_shares(transaction, run)


def leave_shares(transaction: Transaction, run: TrashedRun) -> list[str]:
    ended = []
    rows = transaction.rows("SELECT id, runs FROM shares WHERE project_id = ?", run.project_id)
    for share_id, runs_json in rows:
        runs: Collection[str] | None = json.loads(runs_json)
        if runs is None or run.name not in runs:
            continue
        left = [name for name in runs if name != run.name]
        if left:
            transaction.execute("UPDATE shares SET runs = ? WHERE id = ?", json.dumps(left), share_id)
        else:
            transaction.execute("DELETE FROM shares WHERE id = ?", share_id)
            ended.append(share_id)
    return ended
