"""The run that seamark.log and the hooks mean when none is named: the one that was begun last."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from seamark.write.run.run import Run

_runs: list[Run] = []


def current_run() -> Run | None:
    return _runs[-1] if _runs else None


def remember(run: Run) -> None:
    _runs.append(run)


def forget(run: Run) -> None:
    _runs[:] = [other for other in _runs if other is not run]


def needed(caller: str) -> Run:
    run = current_run()
    if run is None:
        raise RuntimeError(f"{caller} needs a run: call seamark.init(...) first")
    return run


def log(data: Mapping[str, Any], step: int | None = None, commit: bool | None = None) -> None:
    """As run.log of the current run."""
    needed("seamark.log").log(data, step, commit)


def finish(exit_code: int = 0, quiet: bool | None = None) -> None:
    """Finishes the current run, if there is one."""
    run = current_run()
    if run is not None:
        run.finish(exit_code, quiet)


def define_metric(name: str, **options: Any) -> None:
    """As run.define_metric of the current run."""
    needed("seamark.define_metric").define_metric(name, **options)


def alert(title: str, text: str = "", level: str = "info", wait_duration: float | timedelta = 0.0) -> None:
    """As run.alert of the current run."""
    needed("seamark.alert").alert(title, text, level, wait_duration)
