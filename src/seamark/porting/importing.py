"""One import: a source's runs, filtered by name and tag, into a log directory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from seamark.porting.rows import Columns
from seamark.porting.source import Progress, SourceRun
from seamark.porting.target import Imported, Target

TABLES = ("csv", "jsonl")
SOURCES = ("aim", "mlflow", "wandb", *TABLES)


USUAL = Columns()


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which runs and tags; everything unless told otherwise."""

    runs: re.Pattern[str] = re.compile("")
    tags: re.Pattern[str] = re.compile("")
    columns: Columns = USUAL


def import_runs(
    source: str, path: Path, logdir: Path, wanted: Wanted, progress: Progress
) -> Iterator[tuple[SourceRun, Imported]]:
    """Imports run by run and tells what became of each. Raises SourceError when the source cannot be read."""
    # Where a source tells no times, its own is the nearest there is.
    default_wall = path.stat().st_mtime if path.exists() else 0.0
    target = Target(logdir, default_wall=default_wall)
    for run in read(source, path, wanted.columns, progress):
        if wanted.runs.search(run.name):
            run.scalars = {tag: points for tag, points in run.scalars.items() if wanted.tags.search(tag)}
            run.payloads = [payload for payload in run.payloads if wanted.tags.search(payload.tag)]
            yield run, target.add(run)


def read(source: str, path: Path, columns: Columns, progress: Progress) -> Iterator[SourceRun]:
    module = import_module(f"seamark.porting.{source}_file" if source in TABLES else f"seamark.porting.{source}")
    runs: Callable[..., Iterator[SourceRun]] = module.runs
    return runs(path, columns, progress) if source in TABLES else runs(path, progress)
