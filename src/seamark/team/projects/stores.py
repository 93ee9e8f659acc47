"""Stores of projects: where the points are that their pages show."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from seamark.format.types import RunName
from seamark.store import LogRoot, RunStore, Store
from seamark.team.settings import TeamFolder

# Links to growing files cause no events of the file system.
SHARE_RELOAD_SECS = 2.0


class ProjectStores(Protocol):
    """Any thread may call any method."""

    def start(self) -> None: ...

    def close(self) -> None: ...

    def of_project(self, project_id: str, root: LogRoot) -> RunStore:
        """Returns the store of a project, whose log directory is `root`. The caller starts and closes it."""

    def of_share(self, project_id: str, root: LogRoot, runs: Collection[str]) -> RunStore:
        """Returns a store that has these runs and nothing of any other; `root` has only their files."""

    def files_written(self, project_id: str) -> None:
        """Cheap: called for every piece that is uploaded."""

    def runs_changed(self, project_id: str) -> None:
        """Runs were deleted or restored, and their files moved."""

    def pause(self, project_id: str) -> None:
        """Until `resume`, nobody but pages of the project has its index open."""

    def resume(self, project_id: str) -> None: ...

    def remove_runs(self, project_id: str, runs: Collection[str]) -> None:
        """Removes what is outside of the folder of a paused project. Raises StoreUnavailableError."""

    def remove_project(self, project_id: str) -> None:
        """Removes what is outside of the folder of a deleted project. Raises StoreUnavailableError."""


class FileStores:
    """The points are in the index of each project, which is beside its files."""

    def __init__(self, folder: TeamFolder) -> None:
        self._folder = folder

    def start(self) -> None:
        pass

    def close(self) -> None:
        pass

    def of_project(self, project_id: str, root: LogRoot) -> RunStore:
        return Store([root], index_dir=self._folder.index_dir(project_id))

    def of_share(self, project_id: str, root: LogRoot, runs: Collection[str]) -> RunStore:
        # In memory: an index would outlive the share.
        return Store([root], index_dir=None, reload_secs=SHARE_RELOAD_SECS)

    def files_written(self, project_id: str) -> None:
        pass  # stores notice it themselves

    def runs_changed(self, project_id: str) -> None:
        pass

    def pause(self, project_id: str) -> None:
        pass

    def resume(self, project_id: str) -> None:
        pass

    def remove_runs(self, project_id: str, runs: Collection[str]) -> None:
        pass

    def remove_project(self, project_id: str) -> None:
        pass


def as_run_names(runs: Collection[str]) -> frozenset[RunName]:
    return frozenset(map(RunName, runs))
