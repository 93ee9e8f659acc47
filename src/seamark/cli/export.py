"""Write the scalar points of a log directory as CSV, JSON lines or Parquet, every one of them; or a report as HTML."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from seamark.cli import log_directory, notes_of_state, runs_of
from seamark.cli.amounts import counted
from seamark.cli.arguments import add_logdir
from seamark.cli.import_ import pattern
from seamark.cli.progress_bar import ProgressBar
from seamark.cli.report import write as report
from seamark.cli.report.page import NoBundleError
from seamark.compare import QueryError, RunTable, UnknownColumnError
from seamark.porting.exporting import FORMATS, left_out, run_params, write_csv, write_jsonl
from seamark.read import UnknownRunError
from seamark.store import ScalarBatch, Store
from seamark.store.parquet import NoPyarrowError, write_parquet

REDRAW_SECS = 0.1
HTML = "html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    formats = (*FORMATS, HTML)
    parser.add_argument("format", choices=formats, metavar="FORMAT", help=f"what to write: {', '.join(formats)}")
    add_logdir(parser)
    log_directory.add_index_dir(parser)
    notes_of_state.add_state_dir(parser)
    parser.add_argument("--query", default="", metavar="EXPR", help="only runs that match, as in seamark query")
    parser.add_argument(
        "--runs", type=pattern, default=pattern(""), metavar="REGEX", help="only runs whose name matches"
    )
    parser.add_argument("--tags", type=pattern, default=pattern(""), metavar="REGEX", help="only tags that match")
    parser.add_argument(
        "--attempts",
        choices=("all", "latest"),
        default="all",
        help="where a run was restarted: every point (default), or at every step the newest",
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="where to (default: -, the terminal or pipe)"
    )
    report.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    try:
        roots = log_directory.existing_roots(args.logdir)
        if args.format == "parquet" and args.output == "-":
            raise ValueError("Parquet needs a file; say which with -o points.parquet")
        if args.output != "-" and Path(args.output).exists():
            raise ValueError(f"this file is there already, and nothing is overwritten: '{args.output}'")
        if args.format == HTML:
            return export_html(args)
        with Store(roots, index_dir=None, follow=False) as store:
            bar = ProgressBar(sys.stderr)
            while not store.wait_loaded(REDRAW_SECS):
                progress = store.progress()
                bar.show(progress.bytes_done, progress.bytes_total, f"reading {counted(progress.files_total, 'file')}")
            rows = write(store, args, bar)
            bar.clear()
            said = left_out(store, args.runs, args.tags, has_params=args.format == "jsonl")
    except (QueryError, UnknownColumnError) as error:
        return runs_of.refuse_query("export", args.query, error)
    except (ValueError, OSError, NoPyarrowError, NoBundleError, UnknownRunError) as error:
        return log_directory.refuse("export", error)
    if said:
        kinds = ", ".join(f"{count:,} of {kind}" for kind, count in sorted(said.items()))
        print(f"seamark export: series that are no numbers were left out: {kinds}", file=sys.stderr)
    if args.output != "-":
        print(f"{counted(rows, 'point')}: '{args.output}'")
    return 0


def export_html(args: argparse.Namespace) -> int:
    text = report.report_text(args)
    with opened(args.output) as out:
        out.write(text.encode())
    if args.output != "-":
        print(report.told(text, args.output))
    return 0


def write(store: Store, args: argparse.Namespace, bar: ProgressBar) -> int:
    runs = [info for info in store.runs() if args.runs.search(info.name)]
    if args.query:
        table = RunTable(store, notes_of_state.read(args.state_dir, log_directory.existing_roots(args.logdir)))
        wanted = set(table.select(args.query).tolist())
        runs = [info for info in runs if table.place_of(info.name) in wanted]
    logged = {tag for kinds in store.tags("scalars").values() for tag in kinds.get("scalars", ())}
    tags = sorted(filter(args.tags.search, logged))
    total = sum(info.points for info in runs)
    found = store.scalar_batches(runs=[info.name for info in runs], tags=tags, attempts=args.attempts)
    with opened(args.output) as out:
        batches = shown(found, total, bar) if args.output != "-" else found
        if args.format == "parquet":
            return write_parquet(batches, out)
        if args.format == "csv":
            return write_csv(batches, out)
        return write_jsonl(batches, run_params(store, args.runs), out)


def shown(batches: Iterator[ScalarBatch], total: int, bar: ProgressBar) -> Iterator[ScalarBatch]:
    done = 0
    for batch in batches:
        yield batch
        done += len(batch)
        bar.show(done, total, f"{counted(done, 'point')} written")


@contextmanager
def opened(output: str) -> Iterator[IO[bytes]]:
    """The file gets its name once it is whole: one that was cut off is never taken for all there is."""
    if output == "-":
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    path = Path(output)
    beside = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with beside.open("xb") as file:
            yield file
        # Unlike a rename, a link fails when somebody else was faster.
        try:
            os.link(beside, path)
        except FileExistsError:
            raise ValueError(f"this file is there already, and nothing is overwritten: '{output}'") from None
        except OSError:  # a disk without links
            beside.rename(path)
    finally:
        beside.unlink(missing_ok=True)
