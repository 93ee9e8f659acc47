"""One import: a source's runs, filtered by name and tag, into a log directory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from seamark.format.patterns import Pattern, compile_pattern
from seamark.porting.rows import Columns
from seamark.porting.source import Progress, SourceRun
from seamark.porting.target import Imported, Target

TABLES = ("csv", "jsonl")
SOURCES = ("aim", "mlflow", "wandb", *TABLES)


USUAL = Columns()


EVERYTHING = compile_pattern("", anywhere=True)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Selects runs and tags; by default all."""

    runs: Pattern = EVERYTHING
    tags: Pattern = EVERYTHING
    columns: Columns = USUAL


def import_runs(
    source: str, path: Path, logdir: Path, wanted: Wanted, progress: Progress
) -> Iterator[tuple[SourceRun, Imported]]:
    """Imports one run after another and yields a result for each. Raises SourceError for an unreadable source."""
    # For a source without times, the time of its file is the best estimate.
    default_wall = path.stat().st_mtime if path.exists() else 0.0
    target = Target(logdir, default_wall=default_wall)
    for run in read(source, path, wanted.columns, progress):
        if wanted.runs.is_found(run.name):
            run.scalars = {tag: points for tag, points in run.scalars.items() if wanted.tags.is_found(tag)}
            run.payloads = [payload for payload in run.payloads if wanted.tags.is_found(payload.tag)]
            yield run, target.add(run)


def read(source: str, path: Path, columns: Columns, progress: Progress) -> Iterator[SourceRun]:
    module = import_module(f"seamark.porting.{source}_file" if source in TABLES else f"seamark.porting.{source}")
    runs: Callable[..., Iterator[SourceRun]] = module.runs
    return runs(path, columns, progress) if source in TABLES else runs(path, progress)
