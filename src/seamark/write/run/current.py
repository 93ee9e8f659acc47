"""The current run: the live run that was started last. seamark.log and the hooks use it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from seamark.write.run.run import Run

_runs: list[Run] = []


def current_run() -> Run | None:
    """The run that was started last and has not ended, or None."""
    _runs[:] = [run for run in _runs if run.is_live]
    return _runs[-1] if _runs else None


def set_current(run: Run) -> None:
    _runs.append(run)


def require_run(caller: str) -> Run:
    run = current_run()
    if run is None:
        raise RuntimeError(f"{caller} needs a run: call seamark.init(...) first")
    return run


def log(data: Mapping[str, Any], step: int | None = None, commit: bool | None = None) -> None:
    """Calls `run.log` of the current run."""
    require_run("seamark.log").log(data, step, commit)


def log_graph(model: Any, example_inputs: Any = None) -> None:
    """Calls `run.log_graph` of the current run."""
    require_run("seamark.log_graph").log_graph(model, example_inputs)


def log_embedding(name: str, matrix: Any, metadata: Any = None, images: Any = None, step: int | None = None) -> None:
    """Calls `run.log_embedding` of the current run."""
    require_run("seamark.log_embedding").log_embedding(name, matrix, metadata, images, step)


def log_examples(table: Any, predictions: Any = None, **options: Any) -> None:
    """Calls `run.log_examples` of the current run."""
    require_run("seamark.log_examples").log_examples(table, predictions, **options)


def finish(exit_code: int = 0, quiet: bool | None = None) -> None:
    """Finishes the current run, if there is one."""
    run = current_run()
    if run is not None:
        run.finish(exit_code, quiet)


def define_metric(name: str, **options: Any) -> None:
    """Calls `run.define_metric` of the current run."""
    require_run("seamark.define_metric").define_metric(name, **options)


def alert(title: str, text: str = "", level: str = "info", wait_duration: float | timedelta = 0.0) -> None:
    """Calls `run.alert` of the current run."""
    require_run("seamark.alert").alert(title, text, level, wait_duration)
