"""Gives whole files to workers; a crashed worker loses the test it was running and no other."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController


class FileScheduling(LoadFileScheduling):  # type: ignore[misc]
    def remove_node(self, node: WorkerController) -> str | None:
        # xdist would put the test that ended the worker back into the queue, where it ends the next worker.
        crashed = next((test for unit in self.assigned_work[node].values() for test in unit if not unit[test]), None)
        if crashed is not None:
            for unit in self.assigned_work[node].values():
                if crashed in unit:
                    unit[crashed] = True
        super().remove_node(node)
        return crashed

    def _reschedule(self, node: WorkerController) -> None:
        # Not before it has said which tests it found: a new worker is still starting while another one crashes.
        if node not in self.registered_collections:
            return
        # A worker begins a test when it has the next one, so that with a single test it would wait forever.
        while self.workqueue and not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            self._assign_work_unit(node)
        super()._reschedule(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduling | None:
    return FileScheduling(config, log) if config.getvalue("dist") == "loadfile" else None
