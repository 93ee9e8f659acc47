"""The arguments of `seamark export html`, and the text of its file."""

from __future__ import annotations

import argparse
from pathlib import Path

from seamark import read
from seamark.cli.arguments import state_notes
from seamark.cli.arguments.run_source import source_named
from seamark.cli.output.number_format import counted, size
from seamark.cli.report.gather import ReportOptions, gather
from seamark.cli.report.page import page_of
from seamark.read import Runs

DEFAULT_MAX_MB = 10.0
# For script, style, licences and the table; the charts get the rest of the budget.
PAGE_BYTES = 250_000
MIN_CHART_BYTES = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("html only")
    group.add_argument("--title", metavar="TEXT", help="title of the report (default: the name of the log directory)")
    group.add_argument("--notes", type=Path, metavar="FILE", help="Markdown to put above the charts")
    group.add_argument("--columns", default="", metavar="NAME,…", help="columns of the run table, like lr,val/loss.min")
    group.add_argument("--compare", nargs="+", metavar="RUN", help="runs to compare (default: all, up to 8)")
    group.add_argument(
        "--max_mb",
        type=float,
        default=DEFAULT_MAX_MB,
        metavar="MB",
        help=f"size limit; curves are downsampled to fit, and the report says so (default: {DEFAULT_MAX_MB:g})",
    )


def report_text(args: argparse.Namespace) -> str:
    """The text of the file. Raises ValueError, OSError and NoBundleError with one sentence."""
    source = source_named(args.logdir)
    state = state_notes.read(args.state_dir, source.roots)
    notes = args.notes.read_text(encoding="utf-8", errors="replace") if args.notes is not None else ""
    index_dir = "auto" if args.index_dir is None else None if args.index_dir == "none" else args.index_dir
    with read.open(args.logdir, index_dir=index_dir, state=state) as runs:
        names = [name for name in runs.query(args.query).names if args.runs.is_found(name)]
        found: Runs = runs[list(names)]
        options = ReportOptions(
            title=args.title or source.title,
            query=args.query,
            notes=notes,
            columns=[name.strip() for name in args.columns.split(",") if name.strip()],
            tags=[tag for tag in found.tags() if args.tags.is_found(tag)],
            compared=args.compare,
            budget_bytes=max(int(args.max_mb * 1e6) - PAGE_BYTES, MIN_CHART_BYTES),
        )
        gathered = gather(found, state, options)
    return page_of(gathered.report, gathered.charts)


def summary(text: str, output: str) -> str:
    charts = text.count('<script type="text/plain" id="chart-')
    return f"{counted(charts, 'chart')}, {size(len(text.encode()))}: '{output}'"
