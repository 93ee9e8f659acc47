"""Removes runs from the database, and their copied payloads. Event files stay.

A month of runs is a partition: where every run of it goes, partitions are dropped, which takes no time whatever their
size. Single runs are deleted by a mutation, which rewrites the parts that they are in.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Sequence

import msgspec

from seamark.clickhouse.catalogue import RunRow, read_runs, read_shown_runs, run_columns
from seamark.clickhouse.client import Client
from seamark.clickhouse.payload_objects import open_objects
from seamark.clickhouse.rows import RunState
from seamark.clickhouse.schema import delete_keys, drop_partitions
from seamark.format.types import RunName

# The key of a run, and where its objects are.
FormerKey = tuple[int, str]


def remove_runs(client: Client, names: Sequence[RunName], *, dry_run: bool = False) -> int:
    """Hides the runs at once and has the server delete their rows. ValueError if there is no such run."""
    known = read_shown_runs(client, client.address.project)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"the database has no run of this name: '{unknown[0]}'")
    if dry_run:
        return len(names)
    return _remove(client, [known[name] for name in names])


def remove_all_of(client: Client, names: Collection[RunName] | None) -> int:
    """Removes those of these runs that the database has, also while they are being inserted; None for all of the
    project.
    """
    rows = read_runs(client, client.address.project).values()
    chosen = [row for row in rows if row.state != RunState.DELETED and (names is None or row.name in names)]
    return _remove(client, chosen)


def _remove(client: Client, rows: Sequence[RunRow]) -> int:
    if not rows:
        return 0
    gone = _hide(client, rows)
    delete_rows(client, _former_keys(gone))
    return len(gone)


def _hide(client: Client, rows: Sequence[RunRow]) -> list[RunRow]:
    version = max(time.time_ns(), 1 + max(row.version for row in rows))
    gone = [msgspec.structs.replace(row, version=version, state=RunState.DELETED) for row in rows]
    client.insert("runs", run_columns(client.address.project, gone))
    return gone


def delete_rows(client: Client, former: Sequence[FormerKey]) -> None:
    """Deletes what belongs to these keys: their objects, and in the background their rows in all tables."""
    if former:
        delete_keys(client, sorted({key for key, _ in former}))
        delete_objects(former)


def delete_objects(former: Sequence[FormerKey]) -> None:
    by_address: dict[str, set[int]] = {}
    for key, address in former:
        if address:
            by_address.setdefault(address, set()).add(key)
    for address, keys in by_address.items():
        open_objects(address).delete_runs(sorted(keys))


def _former_keys(rows: Sequence[RunRow]) -> list[FormerKey]:
    return [(key, row.record.payload_store) for row in rows for key in keys_of(row)]


def keys_of(row: RunRow) -> list[int]:
    return [key for key in (row.run, row.record.pending_key) if key]


class Retention(msgspec.Struct, frozen=True):
    """The runs of a project that began before a month; runs without a time stay."""

    rows: list[RunRow]
    dropped_months: list[int]  # partitions that have nothing else

    @property
    def points(self) -> int:
        return sum(row.record.points for row in self.rows)


def plan_retention(client: Client, before_month: int) -> Retention:
    """Returns what `apply_retention` removes. `before_month` is a number such as 202611."""
    rows = read_shown_runs(client, client.address.project)
    going = [row for row in rows.values() if 0 < row.month < before_month]
    kept_months = _months_with_other_runs(client, {row.run for row in going}, before_month)
    return Retention(going, sorted({row.month for row in going} - kept_months))


def apply_retention(client: Client, plan: Retention) -> int:
    """Hides the runs at once, then drops the partitions and has the server delete the other rows."""
    if not plan.rows:
        return 0
    gone = _hide(client, plan.rows)
    drop_partitions(client, plan.dropped_months)
    delete_rows(client, _former_keys([row for row in gone if row.month not in plan.dropped_months]))
    delete_objects(_former_keys([row for row in gone if row.month in plan.dropped_months]))
    return len(gone)


def _months_with_other_runs(client: Client, going: set[int], before_month: int) -> set[int]:
    """Returns the months in which runs of any project stay, or are being inserted at this moment."""
    names = ("project", "name", "run", "version", "state", "month")
    found = client.select(
        f"SELECT {', '.join(names)} FROM runs WHERE month < {{month:UInt32}} ORDER BY version",
        names,
        month=before_month,
    )
    columns = [found["project"], found["name"], *(found[name].tolist() for name in names[2:])]
    newest = {
        (project, name): (run, state, month) for project, name, run, _, state, month in zip(*columns, strict=True)
    }
    return {month for run, state, month in newest.values() if state != RunState.DELETED and run not in going}


def month_before(text: str) -> int:
    found = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])", text)
    if found is None:
        raise ValueError(f"want a month as 2026-11, got {text!r}")
    return int(found[1] + found[2])
