from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seamark.store import LogRoot
from seamark.store.runs.library import RootRuns
from seamark.store.runs.run import Run


class CountedRuns(dict[str, Run]):
    """Counts how often all runs are looked at."""

    looks = 0

    def __iter__(self) -> Iterator[str]:
        self.looks += 1
        return super().__iter__()


def test_which_folders_have_runs_is_known_without_a_look_at_every_run(tmp_path: Path) -> None:
    root = LogRoot("", tmp_path)
    runs = CountedRuns()
    root_runs = RootRuns(root, runs=runs)
    assert not root_runs.has_below("") and not root_runs.has_below("sweep")
    for number in range(50):
        root_runs.add(Run(root, f"sweep/run{number}"))
        assert root_runs.has_below(f"sweep/run{number}") and not root_runs.has_below(
            f"sweep/run{number}/events.partial"
        )
    assert root_runs.has_below("sweep") and root_runs.has_below("") and not root_runs.has_below("swee")
    assert runs.looks == 1
    root_runs.remove(runs["sweep/run7"])
    assert not root_runs.has_below("sweep/run7") and root_runs.has_below("sweep")
    for run in list(runs.values()):
        root_runs.remove(run)
    assert not root_runs.has_below("sweep") and not root_runs.has_below("")
    root_runs.add(Run(root, ""))
    assert root_runs.has_below("") and not root_runs.has_below("sweep")
