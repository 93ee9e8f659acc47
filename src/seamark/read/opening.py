"""`seamark.open`: reads a log directory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seamark.clickhouse.address import is_address
from seamark.read.library import Library
from seamark.read.runs import Runs
from seamark.store import LogRoot, Store, default_index_dir, index_path, parse_logdir


def open(
    logdir: str | os.PathLike[str] = "runs",
    *,
    index_dir: str | os.PathLike[str] | None = "auto",
    follow: bool = False,
    state: Mapping[str, Mapping[str, Any]] | None = None,
) -> Runs:
    """Returns the runs of a log directory, once everything is read.

    `index_dir` "auto" uses the index in your cache directory if the server or `seamark index` created one, without
    writing to it, and reads the rest into memory. None reads everything into memory. A path stores an index there.
    `follow` keeps reading new events; without it, call `refresh()`. `state` maps runs to their saved state (label,
    tags, note, …), in the format of the server.

    `clickhouse://host/database` opens the runs of a database (docs/scale.md); `index_dir` does not matter then.
    """
    if is_address(os.fspath(logdir)):
        from seamark.clickhouse.store import open_checked  # most programs read folders

        return Runs(Library(lambda: open_checked(os.fspath(logdir)), state or {}))
    roots = existing_roots(os.fspath(logdir))

    def store() -> Store:
        # The default index is opened read-only: a notebook that stays open must not lock out a server.
        folder = chosen_index(roots, index_dir)
        return Store(roots, index_dir=folder, index_read_only=index_dir == "auto", follow=follow)

    return Runs(Library(store, state or {}))


def existing_roots(logdir: str) -> list[LogRoot]:
    roots = parse_logdir(logdir)
    for root in roots:
        if not root.path.is_dir():
            reason = (
                "a log directory must be a folder, this is a file" if root.path.exists() else "no such log directory"
            )
            raise FileNotFoundError(f"{reason}: '{root.path}'")
    return roots


def chosen_index(roots: list[LogRoot], index_dir: str | os.PathLike[str] | None) -> Path | None:
    if index_dir is None:
        return None
    if index_dir != "auto":
        return Path(index_dir)
    folder = default_index_dir()
    return folder if all((index_path(folder, root.path) / "catalogue.sqlite").exists() for root in roots) else None
