"""The runs of a site, and what every module of this package needs to gather their data."""

from __future__ import annotations

from dataclasses import dataclass

from seamark.format.types import RunName, Tag
from seamark.publish.recorder import Recorder
from seamark.store import Store


@dataclass(frozen=True, slots=True)
class Selection:
    store: Store  # of the chosen runs only
    recorder: Recorder
    runs: list[RunName]
    is_everything: bool  # no run of the log directory is left out
    without: frozenset[str] = frozenset()  # names of dashboards, "console" and "files"
    unchanged: frozenset[RunName] = frozenset()  # what the earlier site has of these runs is used again

    @property
    def changed_runs(self) -> list[RunName]:
        return [run for run in self.runs if run not in self.unchanged]

    def tags(self, kind: str) -> list[tuple[RunName, Tag]]:
        """Each changed run and its tags of a kind, tag by tag, as the page reads them."""
        found = [
            (run, tag)
            for run, kinds in self.store.tags(kind).items()
            if run not in self.unchanged
            for tag in kinds.get(kind, ())
        ]
        return sorted(found, key=lambda pair: pair[1])
