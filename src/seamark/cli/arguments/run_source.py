"""Where the runs of a command are: in log directories, or in a ClickHouse database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seamark.cli.arguments.log_directory import existing_roots
from seamark.clickhouse.address import is_address, parse_address
from seamark.store import LogRoot, Store

if TYPE_CHECKING:
    from seamark.store import RunStore


class RunSource(NamedTuple):
    """`name` has no password. `roots` are the log directories; of a database, one that its saved notes belong to."""

    name: str
    title: str
    roots: list[LogRoot]
    database: str = ""

    def open_store(
        self, *, index_dir: Path | None = None, index_read_only: bool = False, follow: bool = False
    ) -> RunStore:
        """A database always follows, and has no index. Raises ValueError or StoreUnavailableError."""
        if not self.database:
            return Store(self.roots, index_dir=index_dir, index_read_only=index_read_only, follow=follow)
        from seamark.clickhouse.store import open_checked

        return open_checked(self.database)


def source_named(logdir: str) -> RunSource:
    """What --logdir names. ValueError with one sentence if it is neither a folder nor an address."""
    if not is_address(logdir):
        roots = existing_roots(logdir)
        return RunSource(logdir, " and ".join(root.path.name for root in roots), roots)
    address = parse_address(logdir)
    return RunSource(str(address), address.project or address.database, [database_root(str(address))], logdir)


def database_root(shown_address: str) -> LogRoot:
    """The state of a database is found by its address, as that of log directories is by their paths."""
    return LogRoot("", Path("/", shown_address), shown_address)
