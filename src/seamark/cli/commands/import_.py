"""Import runs of Aim, MLflow, W&B, CSV or JSON lines into event files. Importing again adds only what is new."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seamark.cli.arguments import log_directory
from seamark.cli.arguments.patterns import pattern
from seamark.cli.output.number_format import counted
from seamark.cli.output.progress_bar import ProgressBar
from seamark.porting.importing import SOURCES, TABLES, Wanted, import_runs
from seamark.porting.rows import Columns
from seamark.porting.source import SourceError, SourceRun
from seamark.porting.target import Imported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", choices=SOURCES, metavar="SOURCE", help=f"source format: {', '.join(SOURCES)}")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the store, or files and folders in it")
    parser.add_argument(
        "--logdir",
        type=log_directory.folder,
        default=Path("runs"),
        metavar="DIR",
        help="log directory to write to (default: runs)",
    )
    parser.add_argument(
        "--runs", type=pattern, default=pattern(""), metavar="REGEX", help="only runs whose name matches"
    )
    parser.add_argument("--tags", type=pattern, default=pattern(""), metavar="REGEX", help="only tags that match")
    table = parser.add_argument_group("columns of csv and jsonl (default: found by their usual names)")
    table.add_argument("--step_column", default="", metavar="NAME", help="column with the step")
    table.add_argument("--wall_column", default="", metavar="NAME", help="column with the wall time")
    table.add_argument("--run_column", default="", metavar="NAME", help="column with the name of the run")
    table.add_argument("--tag_column", default="", metavar="NAME", help="column with the tag, if a row is one point")
    table.add_argument(
        "--value_column", default="", metavar="NAME", help="column with the value, where a row is one point"
    )
    table.add_argument("--params", type=names, default=(), metavar="NAME,…", help="columns that are hyperparameters")


def run(args: argparse.Namespace) -> int:
    columns = Columns(
        step=args.step_column, wall=args.wall_column, run=args.run_column,
        tag=args.tag_column, value=args.value_column, params=args.params,
    )  # fmt: skip
    if columns != Columns() and args.source not in TABLES:
        return log_directory.refuse(
            "import", ValueError(f"column flags are for {' and '.join(TABLES)}, not for {args.source}")
        )
    if args.logdir.exists() and not args.logdir.is_dir():
        return log_directory.refuse("import", ValueError(f"--logdir must be a folder, got a file: '{args.logdir}'"))
    report = Report()
    try:
        with ProgressBar(sys.stderr) as bar:
            for path in args.paths:
                wanted = Wanted(runs=args.runs, tags=args.tags, columns=columns)

                def show(done: int, total: int, path: Path = path) -> None:
                    bar.show(done, total, f"{path}: {counted(report.runs, 'run')}, {counted(report.points, 'point')}")

                for source_run, imported in import_runs(args.source, path, args.logdir, wanted, show):
                    bar.clear()
                    report.add(source_run, imported)
    except (SourceError, OSError) as error:
        return log_directory.refuse("import", error)
    print(report.summary(args.logdir))
    return 0


class Report:
    """Prints a line for each imported run, and a summary."""

    def __init__(self) -> None:
        self.runs = self.points = self.payloads = self.known = 0

    def add(self, source_run: SourceRun, imported: Imported) -> None:
        added = imported.points + imported.payloads
        self.runs += 1
        self.points += imported.points
        self.payloads += imported.payloads
        self.known += imported.is_known and not added
        if added or not imported.is_known:
            amounts = [counted(imported.points, "point")]
            amounts += [counted(imported.payloads, "payload")] if imported.payloads else []
            print(f"{source_run.name}: {', '.join(amounts)}: '{imported.folder}'")
        for remark in imported.remarks:
            print(f"{source_run.name}: {remark}", file=sys.stderr)

    def summary(self, logdir: Path) -> str:
        amounts = [
            counted(self.runs - self.known, "run"),
            counted(self.points, "point"),
            counted(self.payloads, "payload"),
        ]
        known = f"; {counted(self.known, 'run')} had nothing new" if self.known else ""
        return f"imported {', '.join(amounts)}{known}: '{logdir}'"


def names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
