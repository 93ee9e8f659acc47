"""From the command line to the file: `seamark export html`."""

from __future__ import annotations

import argparse
from pathlib import Path

from seamark.cli import log_directory, notes_of_state
from seamark.cli.amounts import counted, size
from seamark.cli.report.gather import Wishes, gather
from seamark.cli.report.page import page_of
from seamark.read import Runs
from seamark.read import open as open_runs

DEFAULT_MAX_MB = 10.0
# Script, style, licences and the table's own text; what is left of the budget is for the charts.
PAGE_BYTES = 250_000
LEAST_CHART_BYTES = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("html only")
    group.add_argument("--title", metavar="TEXT", help="heads the report (default: the log directory's name)")
    group.add_argument("--notes", type=Path, metavar="FILE", help="Markdown to put above the charts")
    group.add_argument("--columns", default="", metavar="NAME,…", help="of the table of runs, like lr,val/loss.min")
    group.add_argument(
        "--compare", nargs="+", metavar="RUN", help="runs whose differences are shown (default: all, if few)"
    )
    group.add_argument(
        "--max_mb",
        type=float,
        default=DEFAULT_MAX_MB,
        metavar="MB",
        help=f"how large the file may be; beyond it curves are folded, and it says so (default: {DEFAULT_MAX_MB:g})",
    )


def report_text(args: argparse.Namespace) -> str:
    """The file's text. Raises ValueError, OSError and NoBundleError with a sentence."""
    roots = log_directory.existing_roots(args.logdir)
    state = notes_of_state.read(args.state_dir, roots)
    notes = args.notes.read_text(encoding="utf-8", errors="replace") if args.notes is not None else ""
    index_dir = "auto" if args.index_dir is None else None if args.index_dir == "none" else args.index_dir
    with open_runs(args.logdir, index_dir=index_dir, state=state) as runs:
        names = [name for name in runs.query(args.query).names if args.runs.search(name)]
        found: Runs = runs[list(names)]
        wishes = Wishes(
            title=args.title or " and ".join(root.path.name for root in roots),
            query=args.query,
            notes=notes,
            columns=[name.strip() for name in args.columns.split(",") if name.strip()],
            tags=[tag for tag in found.tags() if args.tags.search(tag)],
            compared=args.compare,
            budget_bytes=max(int(args.max_mb * 1e6) - PAGE_BYTES, LEAST_CHART_BYTES),
        )
        gathered = gather(found, state, wishes)
    return page_of(gathered.report, gathered.charts)


def told(text: str, output: str) -> str:
    charts = text.count('<script type="text/plain" id="chart-')
    return f"{counted(charts, 'chart')}, {size(len(text.encode()))}: '{output}'"
