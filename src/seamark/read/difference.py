"""What differs between runs, put together for those who print it: the command line and the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from seamark.compare.diff import RunFacts, Section, changed_only, flattened, read_git_diff, sections_of
from seamark.compare.metric_diff import MetricRow, metric_rows, tags_to_compare
from seamark.compare.run_folder import read_record
from seamark.format.types import RunName, Tag

if TYPE_CHECKING:
    from seamark.compare import RunTable
    from seamark.store import Store


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


def difference_of(
    store: Store, table: RunTable, runs: Sequence[RunName], tags: Sequence[str] | None = None
) -> Difference:
    problems: list[str] = []
    facts = [facts_of(store, table, run, problems) for run in runs]
    chosen, left_out = (list(map(Tag, tags)), 0) if tags is not None else tags_to_compare(store, runs)
    defined = [metric for run in facts if run.record for metric in run.record.metrics]
    metrics = metric_rows(store, runs, chosen, defined)
    return Difference(list(runs), sections_of(facts), metrics, left_out, [run.git_diff for run in facts], problems)


def facts_of(store: Store, table: RunTable, run: RunName, problems: list[str]) -> RunFacts:
    """Hyperparameters as the table of runs has them: from config files and event files, too."""
    place = table.place_of(run)
    if place is None:
        folder = next(info.path for info in store.runs() if info.name == run)
        record, problem = read_record(folder)
        params = flattened(record.config) if record else {}
        problems += [problem] if problem else []
    else:
        row = table.records[place]
        folder, record, params = row.path, row.record, dict(sorted(row.params.items()))
        problems += row.problems
    return RunFacts(run, record, params, read_git_diff(folder, record))
