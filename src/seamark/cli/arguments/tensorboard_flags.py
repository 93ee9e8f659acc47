"""TensorBoard's flags that have no effect here: accepted, and a line explains why."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

REASONS = {
    "load_fast": "there is only one reader, and it is the fast one",
    "extra_data_server_flags": "there is no separate data server",
    "grpc_creds_type": "there is no separate data server",
    "grpc_data_provider": "there is no separate data server",
    "purge_orphaned_data": "every point is kept; the page dims what a restart replaced",
    "db": "event files are the only source",
    "db_import": "event files are the only source",
    "reuse_port": "a port that is in use is reported",
    "reload_task": "log directories are always watched in threads",
    "reload_multifile": "all files of a run are always read",
    "reload_multifile_inactive_secs": "all files of a run are always read, however old",
    "generic_data": "there is only one reader",
    "detect_file_replacement": "replaced files are always detected",
}
SWITCHES = frozenset({"db_import"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("accepted for compatibility with TensorBoard, without effect")
    for name, reason in REASONS.items():
        if name in SWITCHES:
            group.add_argument(f"--{name}", action="store_true", default=None, help=reason)
        else:
            group.add_argument(f"--{name}", metavar="…", help=reason)


def remarks(args: argparse.Namespace) -> Iterator[str]:
    for name, reason in REASONS.items():
        if getattr(args, name, None) is not None:
            yield f"--{name} has no effect: {reason}"
