"""Write every scalar point of a log directory as CSV, JSON lines or Parquet, or a report as HTML."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from seamark.cli.arguments import log_directory, open_runs, state_notes
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.arguments.patterns import pattern
from seamark.cli.arguments.run_source import RunSource, source_named
from seamark.cli.output.number_format import counted
from seamark.cli.output.output_file import check_not_there, open_output
from seamark.cli.output.progress_bar import ProgressBar
from seamark.cli.report import write as report
from seamark.cli.report.page import NoBundleError
from seamark.compare import QueryError, RunTable, UnknownColumnError
from seamark.porting.exporting import FORMATS, left_out, run_params, write_csv, write_jsonl
from seamark.read import UnknownRunError
from seamark.store import NoPyarrowError, RunStore, ScalarBatch, write_parquet

REDRAW_SECS = 0.1
HTML = "html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    formats = (*FORMATS, HTML)
    parser.add_argument("format", choices=formats, metavar="FORMAT", help=f"output format: {', '.join(formats)}")
    add_logdir(parser)
    log_directory.add_index_dir(parser)
    state_notes.add_state_dir(parser)
    parser.add_argument("--query", default="", metavar="EXPR", help="only runs that match, as in seamark query")
    parser.add_argument(
        "--runs", type=pattern, default=pattern(""), metavar="REGEX", help="only runs whose name matches"
    )
    parser.add_argument("--tags", type=pattern, default=pattern(""), metavar="REGEX", help="only tags that match")
    parser.add_argument(
        "--attempts",
        choices=("all", "latest"),
        default="all",
        help="of restarted runs: every point (default), or the newest at every step",
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="output file (default: -, stdout)")
    report.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    try:
        source = source_named(args.logdir)
        if args.format == "parquet" and args.output == "-":
            raise ValueError("Parquet needs a file, as in -o points.parquet")
        check_not_there(args.output)
        if args.format == HTML:
            return export_html(args)
        with source.open_store() as store, ProgressBar(sys.stderr) as bar:
            while not store.wait_loaded(REDRAW_SECS):
                progress = store.progress()
                bar.show(progress.bytes_done, progress.bytes_total, f"reading {counted(progress.files_total, 'file')}")
            rows = write(store, source, args, bar)
            omitted = left_out(store, args.runs, args.tags, has_params=args.format == "jsonl")
    except (QueryError, UnknownColumnError) as error:
        return open_runs.refuse_query("export", args.query, error)
    except (ValueError, OSError, NoPyarrowError, NoBundleError, UnknownRunError) as error:
        return log_directory.refuse("export", error)
    if omitted:
        kinds = ", ".join(f"{count:,} of {kind}" for kind, count in sorted(omitted.items()))
        print(f"seamark export: series that are not scalars were left out: {kinds}", file=sys.stderr)
    if args.output != "-":
        print(f"{counted(rows, 'point')}: '{args.output}'")
    return 0


def export_html(args: argparse.Namespace) -> int:
    text = report.report_text(args)
    with open_output(args.output) as out:
        out.write(text.encode())
    if args.output != "-":
        print(report.summary(text, args.output))
    return 0


def write(store: RunStore, source: RunSource, args: argparse.Namespace, bar: ProgressBar) -> int:
    runs = [info for info in store.runs() if args.runs.is_found(info.name)]
    if args.query:
        table = RunTable(store, state_notes.read(args.state_dir, source.roots))
        wanted = set(table.select(args.query).rows.tolist())
        runs = [info for info in runs if table.place_of(info.name) in wanted]
    logged = {tag for kinds in store.tags("scalars").values() for tag in kinds.get("scalars", ())}
    tags = sorted(filter(args.tags.is_found, logged))
    total = sum(info.points for info in runs)
    found = store.scalar_batches(runs=[info.name for info in runs], tags=tags, attempts=args.attempts)
    with open_output(args.output) as out:
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
