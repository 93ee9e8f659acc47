"""The difference between runs of a table, for the page, the command line and Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from seamark.compare.diff.metric_diff import MetricRow, metric_rows, tags_to_compare
from seamark.compare.diff.sections import Section, changed_only, facts_of, sections_of
from seamark.compare.record.record import Record
from seamark.compare.run_table import RunTable
from seamark.format.types import RunName, Tag


class UnknownRunError(KeyError):
    """There is no such run; the message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Difference:
    """Rows and metrics have a value for each of `runs`, None where one has none."""

    runs: list[str]
    sections: list[Section]
    metrics: list[MetricRow]
    tags_left_out: int
    git_diffs: list[str | None]
    problems: list[str]

    def changed(self) -> list[Section]:
        """Without the rows that are the same in all runs."""
        return changed_only(self.sections)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def difference_of(table: RunTable, runs: Sequence[str], tags: Sequence[str] | None = None) -> Difference:
    """Without `tags`: the scalars that most of the runs have. UnknownRunError for a run that is not there."""
    with table.hold():
        records = [record_of(table, run) for run in runs]
    facts = [facts_of(table.store, record) for record in records]
    chosen, left_out = ([Tag(tag) for tag in tags], 0) if tags is not None else tags_to_compare(records)
    return Difference(
        runs=[record.name for record in records],
        sections=sections_of(facts),
        metrics=metric_rows(table.store, records, chosen),
        tags_left_out=left_out,
        git_diffs=[run.git_diff for run in facts],
        problems=[problem for record in records for problem in record.problems],
    )


def record_of(table: RunTable, run: str) -> Record:
    """The record of a run; for a merged run, that of the run it was merged into."""
    with table.hold():
        place = table.place_of(RunName(run))
        if place is None:
            raise UnknownRunError(f"there is no run '{run[:200]}'")
        return table.records[place]
