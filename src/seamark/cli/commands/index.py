"""Build the index of a log directory ahead of time, so that the first start is as fast as the next."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from seamark.cli.arguments import log_directory
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.output.number_format import counted
from seamark.cli.output.progress_bar import ProgressBar
from seamark.cli.output.text import printable
from seamark.store import IndexLock, LogRoot, Progress, Severity, Store, index_path

REDRAW_SECS = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    parser.add_argument("--index_dir", metavar="DIR", help="folder of the index (default: in your cache directory)")
    parser.add_argument(
        "--clear", action="store_true", help="delete the index of this log directory instead of building it"
    )


def run(args: argparse.Namespace) -> int:
    try:
        roots = log_directory.existing_roots(args.logdir)
        index_dir = log_directory.index_dir_named(args.index_dir)
        if index_dir is None:
            raise ValueError("--index_dir=none means no index: there is nothing to build or clear")
        if args.clear:
            return clear(roots, index_dir)
    except ValueError as error:
        return log_directory.refuse("index", error)
    return build(roots, index_dir)


def build(roots: Sequence[LogRoot], index_dir: Path) -> int:
    """Reads the files that are not in the index. Returns 1 if the index could not be written."""
    started = time.perf_counter()
    store = Store(roots, index_dir=index_dir, follow=False)
    store.start()
    with ProgressBar(sys.stderr) as bar:
        while not store.wait_loaded(REDRAW_SECS):
            progress = store.progress()
            bar.show(progress.bytes_done, progress.bytes_total, _files(progress))
    runs, progress = store.runs(), store.progress()
    store.close()
    points, payloads = sum(info.points for info in runs), sum(info.payloads for info in runs)
    secs = time.perf_counter() - started
    amounts = [counted(progress.files_total, "file"), counted(progress.bytes_total, "byte")]
    amounts += [counted(points, "point"), counted(payloads, "payload")]
    print(f"{', '.join(amounts)} in {secs:.1f} s: '{index_dir}'")
    problems = store.problems()
    for problem in problems:
        if problem.run is not None:
            print(f"{problem.severity}: {printable(problem.message)}", file=sys.stderr)
    # A warning without a run is about the index, and was logged. Damaged event files do not count: see seamark verify.
    return 1 if any(problem.severity == Severity.WARNING and problem.run is None for problem in problems) else 0


def clear(roots: Sequence[LogRoot], index_dir: Path) -> int:
    """Deletes the indexes of the roots. ValueError if a process uses one of them."""
    for root in roots:
        folder = index_path(index_dir, root.path)
        if not folder.exists():
            print(f"no index to clear: '{root.path}'")
            continue
        lock = IndexLock(folder / "lock")
        if not lock.acquire():
            raise ValueError(f"another process uses this index; stop it first: '{folder}'")
        shutil.rmtree(folder)
        lock.release()
        print(f"index cleared: '{root.path}'")
    return 0


def _files(progress: Progress) -> str:
    megabytes = f"{progress.bytes_done / 1e6:,.1f} of {progress.bytes_total / 1e6:,.1f} MB"
    return f"{megabytes}, {progress.files_done:,} of {progress.files_total:,} files"
