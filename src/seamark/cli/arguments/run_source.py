"""Where the runs of a command are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seamark.cli.arguments.log_directory import existing_roots
from seamark.store import LogRoot, Store

if TYPE_CHECKING:
    from seamark.store import RunStore


class RunSource(NamedTuple):
    """`roots` are the log directories."""

    name: str
    title: str
    roots: list[LogRoot]

    def open_store(
        self, *, index_dir: Path | None = None, index_read_only: bool = False, follow: bool = False
    ) -> RunStore:
        """Raises ValueError or StoreUnavailableError."""
        return Store(self.roots, index_dir=index_dir, index_read_only=index_read_only, follow=follow)


def source_named(logdir: str) -> RunSource:
    """What --logdir names. ValueError with one sentence if it is not a folder."""
    roots = existing_roots(logdir)
    return RunSource(logdir, " and ".join(root.path.name for root in roots), roots)
