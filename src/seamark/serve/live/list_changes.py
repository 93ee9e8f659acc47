"""The entries of the page's lists that a change of the store replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seamark.format.types import RunName
from seamark.store import Delta, RunInfo, RunStore, StoreUnavailableError

if TYPE_CHECKING:
    from seamark.compare import MergedRun, MergedRuns


class ListChanges:
    """Used by the live thread alone. `runs` and `problems` make entries as /api/runs and /api/problems list them."""

    def __init__(
        self,
        store: RunStore,
        *,
        runs: Callable[[Sequence[RunInfo]], list[Any]],
        problems: Callable[[], list[Any]],
        merged: MergedRuns,
    ) -> None:
        self._store = store
        self._runs = runs
        self._problems = problems
        self._merged = merged
        self._announced_merged: Mapping[RunName, MergedRun] = {}
        self._announced_layouts: dict[RunName, object] = {}
        self._announced_problems: list[Any] = []

    def start(self) -> None:
        """Call it when the first reading has ended: a page then requests the whole lists."""
        self._announced_layouts = {name: self._store.layout(name) for name in self._store.run_names()}
        self._announced_problems = self._problems()
        self._announced_merged = self._merged.current()

    def since(self, delta: Delta) -> dict[str, Any]:
        """The runs that changed; the tags of those that have others than before; the problems, if they are others."""
        changed = delta.runs_added | delta.runs_reset | delta.scalars.keys() | delta.payloads.keys()
        changed |= self._merged_anew()
        infos = [info for info in map(self._store.run, changed) if info is not None]
        infos.sort(key=lambda run: (run.first_wall is None, run.first_wall or 0.0, run.name))
        tags: dict[RunName, dict[str, list[str]]] = {run: {} for run in delta.runs_removed}
        for run in infos:
            layout = self._store.layout(run.name)
            if self._announced_layouts.get(run.name) != layout or run.name in delta.runs_removed:
                try:
                    tags[run.name] = self._tags_of(run.name)
                except StoreUnavailableError:
                    continue  # the store publishes its runs again when it can answer
                self._announced_layouts[run.name] = layout
        for name in delta.runs_removed - {run.name for run in infos}:
            self._announced_layouts.pop(name, None)
        changes: dict[str, Any] = {"runs": self._runs(infos), "tags": tags}
        problems = self._problems()
        if problems != self._announced_problems:
            self._announced_problems = changes["problems"] = problems
        return changes

    def _merged_anew(self) -> set[RunName]:
        """Runs that another run's change made part of a row, or a row."""
        before, now = self._announced_merged, self._merged.current()
        self._announced_merged = now
        return set() if now is before else {run for run in {*before, *now} if before.get(run) != now.get(run)}

    def _tags_of(self, run: RunName) -> dict[str, list[str]]:
        tags = self._store.tags(run=run).get(run, {})
        return {kind: [*listed] for kind, listed in tags.items()}
