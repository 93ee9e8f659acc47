"""Where sets of examples come from: files and folders of runs, logged examples, and uploads."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from seamark.examples.infer import last_class
from seamark.examples.logged import table_of_logged, with_scores
from seamark.examples.readers.sources import SUFFIXES, read_source
from seamark.examples.schema_apply import KnownRoles
from seamark.examples.schema_file import schema_path
from seamark.format.types import RunName
from seamark.kinds import example_files as layout
from seamark.kinds.payload import DecodeError
from seamark.plugin import not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.plugin.run_folder import (
    MAX_SEARCH_SECS,
    file_in_run,
    files_in_runs,
    folder_in_run,
    folders_in_runs,
)
from seamark.store import RunInfo
from seamark.tables.column import Table, TableError

FILE, LOGGED, UPLOAD = "file", "logged", "upload"
# A table in a run's folder is a set of examples if its name says so: most tables there are something else.
STEM = "examples"
MAX_LISTED_FOLDERS = 1000
MAX_SCORES_BYTES = 1 << 30


class SetListing(NamedTuple):
    run: RunName
    name: str
    title: str
    steps: list[int]


class OpenedTable(NamedTuple):
    table: Table
    known: KnownRoles
    table_id: str = ""


class SetSource(NamedTuple):
    key: Hashable  # another one after each change of the files
    read: Callable[[], OpenedTable]
    schema: Path  # where corrections are saved
    schema_name: str  # the same, as people see it: relative to the run; "": nowhere that lasts
    steps: list[int]
    step: int | None = None  # of a logged set


def version_of(path: Path) -> Hashable:
    """Another one if the file was replaced or changed."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def is_examples_name(name: str, suffixes: Sequence[str]) -> bool:
    """`examples.csv` or `adult.examples.csv`; without a suffix, of a folder."""
    lowered = name.lower()
    return any(lowered == f"{STEM}{suffix}" or lowered.endswith(f".{STEM}{suffix}") for suffix in suffixes)


# Files and folders


def listed_files(runs: Sequence[RunInfo]) -> tuple[list[SetListing], bool]:
    endings = tuple(f"{STEM}{suffix}" for suffix in SUFFIXES)
    files, has_more = files_in_runs(runs, endings)
    paths = [(f.run, f.path) for f in files if is_examples_name(f.path.rpartition("/")[2], SUFFIXES)]
    folders = [(run, p) for run, p in folders_in_runs(runs, STEM) if is_examples_name(p.rpartition("/")[2], ("",))]
    locations = {run.name: run.path for run in runs}
    found = [(run, path, linked_name(locations[run] / path) or path) for run, path in (*paths, *folders)]
    return [SetListing(run, f"{FILE}:{path}", title, []) for run, path, title in found], has_more


def linked_name(path: Path) -> str:
    """The name of the file that `seamark whatif FILE` linked, by which people know it; "" if the path is no link."""
    try:
        return path.readlink().name
    except OSError:
        return ""


def file_source(runs: Sequence[RunInfo], run: RunName, path: str) -> SetSource:
    name = path.rstrip("/").rpartition("/")[2]
    found = None
    if is_examples_name(name, SUFFIXES):
        found = file_in_run(runs, run, path, SUFFIXES)
    elif is_examples_name(name, ("",)):
        found = folder_in_run(runs, run, path, STEM)
    if found is None:
        raise not_found(f"the run '{run}' has no examples '{path}'")
    file, schema = found, schema_path(found)
    folder = path.rpartition("/")[0]
    key = (file, version_of(file), folder_version(file) if file.is_dir() else None)
    shown = f"{folder}/{schema.name}" if folder else schema.name
    return SetSource(key, lambda: OpenedTable(read_source(file), KnownRoles()), schema, shown, [])


def folder_version(folder: Path) -> Hashable:
    """Of the folder's own entries: a picture that is added to a subfolder changes the time of that."""
    entries = sorted(folder.iterdir())[:MAX_LISTED_FOLDERS]
    return tuple((entry.name, version_of(entry)) for entry in entries if entry.exists())


def upload_source(id: str, path: Path) -> SetSource:
    """Corrections last as long as the upload does."""
    return SetSource(
        (id, version_of(path)), lambda: OpenedTable(read_source(path), KnownRoles()), schema_path(path), "", []
    )


# Logged examples


class LoggedSets:
    """The examples that runs have logged. For any thread."""

    def __init__(self, max_tables: int) -> None:
        self._names: RecentlyUsed[str] = RecentlyUsed(MAX_LISTED_FOLDERS)
        self._tables: RecentlyUsed[tuple[Table, str]] = RecentlyUsed(max_tables)

    def listings(self, runs: Sequence[RunInfo]) -> Iterator[SetListing]:
        deadline = time.monotonic() + MAX_SEARCH_SECS
        for run in runs:
            if time.monotonic() > deadline:
                return
            # Resolving links is slow, and most of many runs have no set.
            if not os.path.isdir(f"{run.path}/{layout.FOLDER}"):  # noqa: PTH112
                continue
            for name, folder in self._sets([run], run.name):
                steps = layout.steps_of(entry.name for entry in folder.iterdir())
                if steps:
                    yield SetListing(run.name, f"{LOGGED}:{name}", name, steps)

    def _sets(self, runs: Sequence[RunInfo], run: RunName) -> Iterator[tuple[str, Path]]:
        root = folder_in_run(runs, run, layout.FOLDER, layout.FOLDER)
        if root is None:
            return
        for folder in sorted(root.iterdir())[:MAX_LISTED_FOLDERS]:
            file = folder / layout.SET_FILE
            if folder.is_symlink() or file.is_symlink() or not file.is_file():
                continue
            name = self._names.get((file, version_of(file)), lambda file=file: _set_name(file))  # type: ignore[misc]
            if name:
                yield name, folder

    def source(self, runs: Sequence[RunInfo], run: RunName, name: str, step: int) -> SetSource:
        folder = next((folder for known, folder in self._sets(runs, run) if known == name), None)
        steps = layout.steps_of(entry.name for entry in folder.iterdir()) if folder is not None else []
        if folder is None or not steps:
            raise not_found(f"the run '{run}' has no logged examples '{name}'")
        at = steps[-1] if step == -1 and -1 not in steps else step
        if at not in steps:
            raise not_found(f"the examples '{name}' have no step {step:,}: the last is {steps[-1]:,}")
        file, home = folder / f"{at}{layout.SCORES_SUFFIX}", folder
        schema = folder / "examples.schema.json"
        shown = f"{layout.FOLDER}/{folder.name}/{schema.name}"
        return SetSource((file, version_of(file)), lambda: self._read(home, file), schema, shown, steps, at)

    def _read(self, folder: Path, file: Path) -> OpenedTable:
        data = _bytes_of(file, MAX_SCORES_BYTES)
        try:
            scores = layout.decode_scores(data)
            path = folder / f"{scores.table}{layout.TABLE_SUFFIX}"
            table, truth = self._tables.get((path, version_of(path)), lambda: _logged_table(path))
        except DecodeError as error:
            raise TableError(str(error)) from error
        except FileNotFoundError as error:
            raise TableError("the examples of these predictions are gone") from error
        scored = with_scores(table, scores)
        target = table.by_name.get(truth)
        known = KnownRoles(truth or None, scored.predictions, last_class(target) if target is not None else "")
        return OpenedTable(scored.table, known, f"{scores.table}{hashlib.blake2b(data, digest_size=16).hexdigest()}")


def _logged_table(path: Path) -> tuple[Table, str]:
    logged = layout.decode_table(_bytes_of(path, layout.MAX_BYTES))
    return table_of_logged(logged), logged.truth


def _bytes_of(file: Path, max_bytes: int) -> bytes:
    if file.is_symlink() or file.stat().st_size > max_bytes:
        raise TableError(f"the file is too large, or a link: '{file.name}'")
    return file.read_bytes()


def _set_name(file: Path) -> str:
    try:
        return msgspec.json.decode(file.read_bytes()[: 1 << 16], type=layout.SetFile).name
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ""
